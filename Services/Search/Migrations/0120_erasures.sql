-- What of an account that was deleted is looked for before it goes.
SET LOCAL lock_timeout = '5s';

CREATE INDEX documents_author ON documents (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX documents_people ON documents USING gin (people) WHERE people <> '{}';
CREATE INDEX shelved_books_account ON shelved_books (account_id);
CREATE INDEX ties_account ON ties (account_id);
CREATE INDEX ties_target ON ties (target_id) WHERE target_id <> 0;
CREATE INDEX uses_account ON uses (account_id);
