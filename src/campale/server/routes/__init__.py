"""The routes over HTTP: a module for each subject, with what they take and give."""
