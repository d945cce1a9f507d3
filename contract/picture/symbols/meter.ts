import { middles, type Part, type PictureSymbol, symbol } from '../symbol.ts'

const inline = middles([40, 40], 'left', 'right')
const flow = (name: string, ...more: readonly Part[]) =>
  symbol(
    `meter.${name}`,
    [40, 40],
    [{ role: 'body', d: 'M20 4A16 16 0 1 1 20 36A16 16 0 1 1 20 4Z' }, { role: 'line', d: 'M0 20H4M36 20H40' }, ...more],
    inline,
  )

/** Primary elements in the line: ISA-5.1, table 5.2.3. */
export const symbols: readonly PictureSymbol[] = [
  flow('flow', { role: 'line', d: 'M10 20H30M24 14L30 20L24 26' }),
  flow('magnetic', { role: 'line', d: 'M12 28V12L20 22L28 12V28' }),
  flow('vortex', { role: 'line', d: 'M12 14L26 20L12 26Z' }),
  flow('turbine', { role: 'line', d: 'M20 20Q14 8 8 16Q12 22 20 20Q26 32 32 24Q28 18 20 20' }),
  flow('mass', { role: 'line', d: 'M10 24Q10 12 15 12T20 20T25 12T30 24' }),
  symbol('meter.orifice', [40, 32], [{ role: 'line', d: 'M0 16H40M20 0V12M20 20V32' }], middles([40, 32], 'left', 'right')),
  symbol(
    'meter.rotameter',
    [24, 48],
    [
      { role: 'body', d: 'M6 0H18L24 48H0Z' },
      { role: 'solid', d: 'M6 22H18L12 30Z' },
    ],
    middles([24, 48], 'top', 'bottom'),
  ),
  symbol(
    'meter.sight-glass',
    [40, 32],
    [
      { role: 'body', d: 'M4 4H36V28H4Z' },
      { role: 'body', d: 'M20 8A8 8 0 1 1 20 24A8 8 0 1 1 20 8Z' },
    ],
    [
      { id: 'left', x: 4, y: 16, side: 'left' },
      { id: 'right', x: 36, y: 16, side: 'right' },
    ],
  ),
  symbol(
    'meter.level-gauge',
    [16, 80],
    [
      { role: 'body', d: 'M2 4H14V76H2Z' },
      { role: 'level', d: 'M2 4H14V76H2Z' },
      { role: 'line', d: 'M2 4H14V76H2Z' },
      { role: 'fine', d: 'M9 16H14M9 28H14M9 40H14M9 52H14M9 64H14' },
    ],
    [
      { id: 'top', x: 8, y: 4, side: 'top' },
      { id: 'bottom', x: 8, y: 76, side: 'bottom' },
    ],
  ),
]
