"""Rules for labels that state numbers, or count up."""
