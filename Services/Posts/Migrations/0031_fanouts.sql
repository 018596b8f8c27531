-- Fan-outs to many followers that are not finished: after which follow they go on.
CREATE TABLE fanouts (
    post_id bigint PRIMARY KEY,
    author_id bigint NOT NULL,
    after_id bigint NOT NULL
);
