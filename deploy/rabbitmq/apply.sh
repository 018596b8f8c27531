#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Brings a running broker to the declared topology: apply.sh NODE DEFINITIONS
#
# Adds and changes what the file says (users and their rights, exchanges, queues, bindings, policies), then removes the
# bindings between exchanges and queues of the file that the file does not have. Queues are never removed: they may hold
# messages. It may be run at any time, any number of times; DEFINITIONS is read by the broker, at this path.
set -euo pipefail

node=$1 file=$2
case $file in *[\"\\]*)
    echo "apply.sh: a path with quotes: $file" >&2
    exit 64
    ;;
esac

exec "${RABBITMQCTL:-rabbitmqctl}" -q -n "$node" eval '
    {ok, Body} = file:read_file("'"$file"'"),
    ok = rabbit_definitions:import_raw(Body),
    Document = rabbit_json:decode(Body),
    Names = fun(Kind) -> [maps:get(<<"name">>, Each) || Each <- maps:get(Kind, Document, [])] end,
    {Exchanges, Queues} = {Names(<<"exchanges">>), Names(<<"queues">>)},
    Declared = [{maps:get(<<"source">>, Each), maps:get(<<"routing_key">>, Each), maps:get(<<"destination">>, Each)}
                || Each <- maps:get(<<"bindings">>, Document, [])],
    Gone = [Each || {binding, {resource, _, exchange, Source}, Key, {resource, _, queue, Queue}, _} = Each
                        <- rabbit_binding:list(<<"/">>),
                    lists:member(Source, Exchanges), lists:member(Queue, Queues),
                    not lists:member({Source, Key, Queue}, Declared)],
    [ok = rabbit_binding:remove(Each, <<"topology">>) || Each <- Gone],
    Text = [["removed ", Key, " from ", Queue, "\n"] || {binding, _, Key, {resource, _, queue, Queue}, _} <- Gone],
    io:format("~ts", [iolist_to_binary(Text)]),
    applied.
'
