"""What the texts of a column's levels say: ordinal or not, in which order, which end is low."""
