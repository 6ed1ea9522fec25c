// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pictures of the captcha (S-006): chess pieces on squares, drawn here, each a little
// otherwise. What goes out is a PNG, so that the answer cannot be read out of its markup.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>

#include "pages/captcha.h"

#define TILE 92
#define GAP 4

// ---- shapes -------------------------------------------------------------------------------------

// Paths in a box of 100 by 100, in hundredths; a row begins with what is done.
typedef enum Stroke { END, MOVE, LINE, CURVE, CLOSE, BALL } Stroke;

// Every piece stands on the same foot.
static const short foot[] = { MOVE, 22, 92, LINE, 78, 92, LINE,  78, 84, CURVE,
                              74,   78, 66, 78,   62, 76, LINE,  38, 76, CURVE,
                              34,   78, 26, 78,   22, 84, CLOSE, END };
static const short pawn[] = { BALL,  50, 34, 14, MOVE, 40, 48, LINE,  60, 48,
                              CURVE, 57, 60, 61, 70,   66, 78, LINE,  34, 78,
                              CURVE, 39, 70, 43, 60,   40, 48, CLOSE, END };
static const short rook[] = { MOVE, 28, 14, LINE,  37, 14, LINE, 37, 22, LINE, 45, 22, LINE, 45, 14,
                              LINE, 55, 14, LINE,  55, 22, LINE, 63, 22, LINE, 63, 14, LINE, 72, 14,
                              LINE, 72, 32, LINE,  64, 40, LINE, 66, 78, LINE, 34, 78, LINE, 36, 40,
                              LINE, 28, 32, CLOSE, END };
static const short bishop[] = { BALL, 50,    12, 5,    MOVE, 50, 16,   CURVE, 66,    28,   70,
                                44,   60,    56, LINE, 64,   78, LINE, 36,    78,    LINE, 40,
                                56,   CURVE, 30, 44,   34,   28, 50,   16,    CLOSE, END };
static const short knight[] = { MOVE,  34,    78, CURVE, 34, 62,    52, 58,   50,    46, CURVE, 44,
                                52,    34,    52, 30,    58, CURVE, 26, 62,   18,    60, 18,    53,
                                CURVE, 22,    42, 30,    36, 34,    26, LINE, 34,    12, LINE,  43,
                                20,    CURVE, 62, 18,    74, 36,    74, 78,   CLOSE, END };
static const short queen[] = { BALL, 16,   27,   5,    BALL, 33,   16,   5,    BALL, 50,    12,
                               5,    BALL, 67,   16,   5,    BALL, 84,   27,   5,    MOVE,  18,
                               30,   LINE, 32,   54,   LINE, 34,   20,   LINE, 45,   50,    LINE,
                               50,   16,   LINE, 55,   50,   LINE, 66,   20,   LINE, 68,    54,
                               LINE, 82,   30,   LINE, 68,   78,   LINE, 32,   78,   CLOSE, END };
static const short king[] = { MOVE, 46,    8,    LINE, 54,   8,    LINE,  54,    15,   LINE,
                              61,   15,    LINE, 61,   22,   LINE, 54,    22,    LINE, 54,
                              33,   CURVE, 74,   22,   86,   36,   76,    52,    LINE, 66,
                              78,   LINE,  34,   78,   LINE, 24,   52,    CURVE, 14,   36,
                              26,   22,    46,   33,   LINE, 46,   22,    LINE,  39,   22,
                              LINE, 39,    15,   LINE, 46,   15,   CLOSE, END };
static const short *const shapes[CAPTCHA_PIECES] = { pawn, knight, bishop, rook, queen, king };

static void trace(cairo_t *ink, const short *at) {
    while (*at != END) {
        switch ((Stroke)at[0]) {
        case MOVE:
            cairo_move_to(ink, at[1], at[2]);
            at += 3;
            break;
        case LINE:
            cairo_line_to(ink, at[1], at[2]);
            at += 3;
            break;
        case CURVE:
            cairo_curve_to(ink, at[1], at[2], at[3], at[4], at[5], at[6]);
            at += 7;
            break;
        case CLOSE:
            cairo_close_path(ink);
            at++;
            break;
        case BALL:
            cairo_new_sub_path(ink);
            cairo_arc(ink, at[1], at[2], at[3], 0, 2 * M_PI);
            cairo_close_path(ink);
            at += 4;
            break;
        case END:
            return;
        }
    }
}

// ---- a tile -------------------------------------------------------------------------------------

static double between(uint64_t *chance, double low, double high) {
    return low + (high - low) * (double)(jd_random(chance) >> 11) / 9007199254740992.0;
}

static void paint(cairo_t *ink, uint64_t *chance, double light) {
    const double red = light + between(chance, -0.06, 0.06);
    const double green = light + between(chance, -0.06, 0.06);
    const double blue = light + between(chance, -0.10, 0.02);
    cairo_set_source_rgb(ink, red, green, blue);
}

static void draw_noise(cairo_t *ink, uint64_t *chance) {
    for (int i = 0; i < 5; i++) {
        paint(ink, chance, between(chance, 0.15, 0.85));
        cairo_set_line_width(ink, between(chance, 1, 2.4));
        cairo_move_to(ink, between(chance, 0, TILE), between(chance, 0, TILE));
        cairo_curve_to(ink, between(chance, 0, TILE), between(chance, 0, TILE),
                       between(chance, 0, TILE), between(chance, 0, TILE), between(chance, 0, TILE),
                       between(chance, 0, TILE));
        cairo_stroke(ink);
    }
    for (int i = 0; i < 40; i++) {
        paint(ink, chance, between(chance, 0.1, 0.9));
        cairo_rectangle(ink, between(chance, 0, TILE), between(chance, 0, TILE), 2, 2);
        cairo_fill(ink);
    }
}

static void draw_tile(cairo_t *ink, int piece, const CaptchaGrid *grid, uint64_t *chance) {
    const bool dark_square = jd_random_below(chance, 2) != 0;
    const bool dark_piece = jd_random_below(chance, 2) != 0;
    paint(ink, chance, dark_square ? between(chance, 0.52, 0.62) : between(chance, 0.82, 0.92));
    cairo_rectangle(ink, 0, 0, TILE, TILE);
    cairo_fill(ink);
    if (grid->noise)
        draw_noise(ink, chance);
    cairo_save(ink);
    const double size = between(chance, 0.66, 0.84) * TILE / 100;
    const double turn = grid->turned ? between(chance, -1.1, 1.1) : between(chance, -0.08, 0.08);
    cairo_translate(ink, TILE / 2.0 + between(chance, -6, 6), TILE / 2.0 + between(chance, -6, 6));
    cairo_rotate(ink, turn);
    cairo_scale(ink, jd_random_below(chance, 2) != 0 ? size : -size,
                size * between(chance, 0.94, 1.06));
    cairo_translate(ink, -50, -52);
    trace(ink, foot);
    trace(ink, shapes[piece]);
    paint(ink, chance, dark_piece ? between(chance, 0.10, 0.22) : 0.97);
    cairo_fill_preserve(ink);
    paint(ink, chance, dark_piece ? 0.92 : 0.08);
    cairo_set_line_width(ink, between(chance, 2.4, 3.6));
    cairo_set_line_join(ink, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(ink);
    cairo_restore(ink);
    if (grid->noise)
        for (int i = 0; i < 3; i++) {
            paint(ink, chance, between(chance, 0.3, 0.7));
            cairo_set_line_width(ink, 1.3);
            cairo_move_to(ink, between(chance, 0, TILE), between(chance, 0, TILE));
            cairo_line_to(ink, between(chance, 0, TILE), between(chance, 0, TILE));
            cairo_stroke(ink);
        }
}

// ---- the grid -----------------------------------------------------------------------------------

typedef struct Png {
    unsigned char *data;
    size_t size;
    size_t capacity;
} Png;

static cairo_status_t on_bytes(void *context, const unsigned char *data, unsigned size) {
    Png *png = context;
    if (png->size + size > png->capacity)
        return CAIRO_STATUS_WRITE_ERROR;
    memcpy(png->data + png->size, data, size);
    png->size += size;
    return CAIRO_STATUS_SUCCESS;
}

bool captcha_draw(const CaptchaGrid *grid, uint64_t chance, unsigned char *png, size_t capacity,
                  size_t *size) {
    const int side = grid->side * (TILE + GAP) + GAP;
    cairo_surface_t *sheet = cairo_image_surface_create(CAIRO_FORMAT_RGB24, side, side);
    cairo_t *ink = cairo_create(sheet);
    cairo_set_source_rgb(ink, 1, 1, 1);
    cairo_paint(ink);
    for (int i = 0; i < grid->side * grid->side; i++) {
        const int column = i % grid->side;
        const int row = i / grid->side;
        cairo_save(ink);
        cairo_translate(ink, GAP + column * (TILE + GAP), GAP + row * (TILE + GAP));
        cairo_rectangle(ink, 0, 0, TILE, TILE);
        cairo_clip(ink);
        draw_tile(ink, grid->pieces[i], grid, &chance);
        cairo_restore(ink);
    }
    cairo_destroy(ink);
    Png out = { .data = png, .capacity = capacity };
    const bool ok =
        cairo_surface_write_to_png_stream(sheet, on_bytes, &out) == CAIRO_STATUS_SUCCESS;
    cairo_surface_destroy(sheet);
    *size = out.size;
    return ok;
}
