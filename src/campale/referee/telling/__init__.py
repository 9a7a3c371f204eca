"""What people read: words in two languages, names, sentences, and the transcript of a battle."""
