"""Files: read into rows and labels, and written from them. One reader a format, and a slow second one that checks them."""
