# SPDX-License-Identifier: BSD-3-Clause
"""The colours: those of states differ for everybody, and all text can be read.

The distance of two colours is that of OKLab, in hundredths. Colour blindness is simulated by the
matrices of Machado, Oliveira and Fernandes (2009) for a complete lack of one kind of cone.
"""

import math
from itertools import combinations, product

from browser import PageTest, unittest
from timeline import THEMES, themed

EYES = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
                   (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
                     (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
                   (0.004733, 0.691367, 0.303900)),
}

ACTIVE = ("running", "running_gc", "syscall", "syscall_blocked", "runnable")
WAITS = ("wait_chan", "wait_sync", "wait_net", "wait_sleep", "wait_gc", "wait_other")
OTHERS = ("region", "task", "range", "gc", "stw")

# The least distance between the classes of a row: what a goroutine does is told apart at a
# glance, what it waits for by comparison with its neighbours.
LEAST_ACTIVE, LEAST_WAIT, LEAST_OTHER, LEAST_SHADE, LEAST_GROUND = 11.5, 5, 10, 8, 6.5

AA = 4.5
# Which colours of palette texts on canvases have, and on which they are.
TEXTS = (("fg", "bg"), ("fg", "bgRaised"), ("fg", "hover"), ("fg", "accentSoft"), ("fg", "panel"),
         ("muted", "bg"), ("muted", "bgRaised"), ("muted", "hover"), ("muted", "accentSoft"),
         ("faint", "bg"), ("faint", "bgRaised"), ("bg", "accent"), ("bg", "warn"), ("bg", "muted"))

PALETTE = """
    const {CLASSES, SHADES, parseColor, palette, unpack} = await import("./STATIC/colors.js");
    const colors = {};
    for (const name of arguments[0]) colors[name] = parseColor(palette[name]).slice(0, 3);
    const bars = Object.fromEntries(CLASSES.map((name, i) =>
        [name, Array.from({length: SHADES}, (_, j) => unpack(palette.solid[i * SHADES + j]))]));
    const texts = Object.fromEntries(CLASSES.map((name, i) => [name, palette.text[i * SHADES]]));
    return {colors, bars, texts};
"""


def linear(color):
    return [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4
            for part in color]


def luminance(color):
    red, green, blue = linear(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a, b):
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def oklab(light):
    cones = times(((0.4122214708, 0.5363325363, 0.0514459929),
                   (0.2119034982, 0.6806995451, 0.1073969566),
                   (0.0883024619, 0.2817188376, 0.6299787005)), light)
    return times(((0.2104542553, 0.7936177850, -0.0040720468),
                  (1.9779984951, -2.4285922050, 0.4505937099),
                  (0.0259040371, 0.7827717662, -0.8086757660)), [math.cbrt(each) for each in cones])


def distance(a, b):
    """The distance for those eyes for which it is the least."""
    def seen(color, eyes):
        return oklab([min(1, max(0, part)) for part in times(eyes, linear(color))])

    return 100 * min(math.dist(seen(a, eyes), seen(b, eyes)) for eyes in EYES.values())


class Colors(PageTest):
    def palettes(self):
        for theme in THEMES:
            with self.subTest(theme), themed(self.browser, theme):
                self.open("/goroutines")
                yield self.js(PALETTE, sorted({name for pair in TEXTS for name in pair}))

    def assert_apart(self, bars, pairs, least):
        near = [(a, b, round(distance(bars[a][0], bars[b][0]), 1)) for a, b in pairs]
        self.assertEqual([pair for pair in near if pair[2] < least], [])

    def test_states_of_a_row_differ_for_all_eyes(self):
        for palette in self.palettes():
            bars = palette["bars"]
            self.assertEqual(set(bars), {*ACTIVE, *WAITS, *OTHERS})
            self.assert_apart(bars, combinations(ACTIVE, 2), LEAST_ACTIVE)
            self.assert_apart(bars, product(ACTIVE, WAITS), LEAST_ACTIVE)
            self.assert_apart(bars, combinations(WAITS, 2), LEAST_WAIT)
            self.assert_apart(bars, combinations(OTHERS, 2), LEAST_OTHER)
            ground = palette["colors"]["bg"]
            for name in bars:
                self.assertGreater(distance(bars[name][0], ground), LEAST_GROUND, name)

    def test_shades_of_states_differ_from_those_of_other_states(self):
        """Rows of procs and threads have shades, which tell goroutines apart."""
        for palette in self.palettes():
            bars = palette["bars"]
            near = [(a, b) for a, b in combinations(ACTIVE[:4], 2)
                    if min(distance(*pair) for pair in product(bars[a], bars[b])) < LEAST_SHADE]
            self.assertEqual(near, [])

    def test_text_on_canvases_can_be_read(self):
        for palette in self.palettes():
            colors = palette["colors"]
            low = [pair for pair in TEXTS if contrast(*(colors[name] for name in pair)) < AA]
            low += [(name, shade) for name, shades in palette["bars"].items()
                    for shade in shades if contrast(palette["texts"][name], shade) < AA]
            self.assertEqual(low, [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
