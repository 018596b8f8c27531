-- Books that people show others on their shelves.

SET LOCAL lock_timeout = '5s';

-- The newest word on each record of reading. Those that everybody may see have their book; of the others only that they are known.
CREATE TABLE shelved_books (
    record_id bigint PRIMARY KEY,
    version bigint NOT NULL,
    shown boolean NOT NULL,
    account_id bigint NOT NULL,
    -- A number of its ISBN, else of its title and authors; 0 for none.
    book_id bigint NOT NULL,
    -- As the shelf has it, as JSON.
    item text NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 80);
CREATE INDEX shelved_books_book ON shelved_books (book_id, record_id) INCLUDE (account_id) WHERE shown;
CREATE INDEX shelved_books_ended ON shelved_books (changed_at) WHERE NOT shown;
