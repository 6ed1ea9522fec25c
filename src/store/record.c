// SPDX-License-Identifier: GPL-3.0-or-later
//
// The form of game_record.body, version 1: all events of one entity in order.
//
//   1 byte      version
//   each event  varint  arrival less the arrival before (0 before the first)
//               varint  seq less the seq before
//               varint  time_ms less the time before, zigzag
//               1 byte  actor
//               varint  kind
//               varint  size of the body, then the body
//   8 bytes     checksum of all before, jd_hash, least byte first
//
// A varint holds 7 bits a byte, the lowest first; the top bit says that more follow.
#include "store/internal.h"

#define RECORD_VERSION 1
#define CHECKSUM_SIZE 8
#define VARINT_MAX 10

static size_t varint_write(uint64_t value, unsigned char out[VARINT_MAX]) {
    size_t size = 0;
    while (value >= 0x80) {
        out[size++] = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    out[size++] = (unsigned char)value;
    return size;
}

static bool varint_read(JdStr from, size_t *at, uint64_t *out) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && *at < from.size; shift += 7) {
        const uint64_t byte = (unsigned char)from.data[(*at)++];
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) {
            *out = value;
            return true;
        }
    }
    return false;
}

static uint64_t zigzag(int64_t value) {
    return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static int64_t unzigzag(uint64_t value) {
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

// ---- writing ------------------------------------------------------------------------------------

bool record_begin(RecordWriter *writer, JdStr body, const StoreId *id, JdErr *err) {
    *writer = (RecordWriter) { 0 };
    if (body.size == 0)
        return bytes_append(&writer->bytes, "\x01", 1, err);
    RecordReader reader;
    if (!record_open(&reader, body, id, err))
        return false;
    for (bool more = true; more;) {
        if (!record_next(&reader, &more, err))
            return false;
    }
    writer->events = reader.events;
    writer->last_arrival = reader.event.arrival;
    writer->last_seq = reader.event.seq;
    writer->last_time_ms = reader.event.time_ms;
    return bytes_append(&writer->bytes, reader.body.data, reader.body.size, err);
}

bool record_append(RecordWriter *writer, const StoreEvent *event, JdErr *err) {
    unsigned char head[VARINT_MAX * 5 + 1];
    size_t size = varint_write((uint64_t)(event->arrival - writer->last_arrival), head);
    size += varint_write(event->seq - writer->last_seq, head + size);
    size += varint_write(zigzag(event->time_ms - writer->last_time_ms), head + size);
    head[size++] = event->actor;
    size += varint_write(event->kind, head + size);
    size += varint_write(event->body.size, head + size);
    writer->events++;
    writer->last_arrival = event->arrival;
    writer->last_seq = event->seq;
    writer->last_time_ms = event->time_ms;
    return bytes_append(&writer->bytes, head, size, err) &&
           bytes_append(&writer->bytes, event->body.data, event->body.size, err);
}

bool record_end(RecordWriter *writer, JdErr *err) {
    const uint64_t sum = jd_hash(JD_HASH_START, writer->bytes.data, writer->bytes.size);
    unsigned char tail[CHECKSUM_SIZE];
    for (int i = 0; i < CHECKSUM_SIZE; i++)
        tail[i] = (unsigned char)(sum >> (8 * i));
    return bytes_append(&writer->bytes, tail, sizeof tail, err);
}

// ---- reading ------------------------------------------------------------------------------------

static bool damaged(const RecordReader *reader, size_t at, JdErr *err) {
    return jd_fail(err, STORE_CORRUPT, at, "the record of %s is damaged at byte %zu",
                   reader->event.id.text, at);
}

bool record_open(RecordReader *reader, JdStr body, const StoreId *id, JdErr *err) {
    *reader = (RecordReader) { .event = { .id = *id } };
    if (body.size < 1 + CHECKSUM_SIZE || body.data[0] != RECORD_VERSION)
        return damaged(reader, 0, err);
    const size_t size = body.size - CHECKSUM_SIZE;
    uint64_t sum = 0;
    for (int i = 0; i < CHECKSUM_SIZE; i++)
        sum |= (uint64_t)(unsigned char)body.data[size + (size_t)i] << (8 * i);
    if (sum != jd_hash(JD_HASH_START, body.data, size))
        return damaged(reader, size, err);
    reader->body = jd_str_n(body.data, size);
    reader->at = 1;
    return true;
}

bool record_next(RecordReader *reader, bool *more, JdErr *err) {
    *more = reader->at < reader->body.size;
    if (!*more)
        return true;
    const size_t start = reader->at;
    uint64_t arrival = 0;
    uint64_t seq = 0;
    uint64_t time = 0;
    uint64_t kind = 0;
    uint64_t size = 0;
    size_t at = start;
    bool ok = varint_read(reader->body, &at, &arrival) && varint_read(reader->body, &at, &seq) &&
              varint_read(reader->body, &at, &time) && at < reader->body.size;
    const uint8_t actor = ok ? (uint8_t)reader->body.data[at++] : 0;
    ok = ok && varint_read(reader->body, &at, &kind) && varint_read(reader->body, &at, &size) &&
         size <= reader->body.size - at && kind <= UINT16_MAX && seq <= UINT32_MAX;
    if (!ok)
        return damaged(reader, start, err);
    StoreEvent *event = &reader->event;
    event->arrival = (int64_t)((uint64_t)event->arrival + arrival);
    event->seq += (uint32_t)seq;
    event->time_ms = (int64_t)((uint64_t)event->time_ms + (uint64_t)unzigzag(time));
    event->actor = actor;
    event->kind = (uint16_t)kind;
    event->body = jd_str_part(reader->body, at, size);
    reader->at = at + size;
    reader->events++;
    return true;
}

bool record_last_seq(JdStr body, const StoreId *id, uint32_t *out, JdErr *err) {
    RecordReader reader;
    if (!record_open(&reader, body, id, err))
        return false;
    for (bool more = true; more; *out = reader.event.seq)
        if (!record_next(&reader, &more, err))
            return false;
    return true;
}
