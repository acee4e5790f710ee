// Replaced by the first file.
