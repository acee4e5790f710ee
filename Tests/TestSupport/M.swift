package enum M {}
