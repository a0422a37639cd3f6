from autotype.models.source_folder import find_compiled

find_compiled(__name__)
