import { middles, type PictureSymbol, symbol } from '../symbol.ts'

/** Water works and drainage. */
export const symbols: readonly PictureSymbol[] = [
  symbol(
    'water.intake',
    [80, 60],
    [
      { role: 'body', d: 'M0 8H60V60H0Z' },
      { role: 'line', d: 'M0 20Q8 14 15 20T30 20T45 20T60 20M0 32Q8 26 15 32T30 32T45 32T60 32' },
      { role: 'line', d: 'M60 40H80' },
    ],
    [{ id: 'right', x: 80, y: 40, side: 'right' }],
  ),
  symbol(
    'water.tower',
    [80, 120],
    [
      { role: 'body', d: 'M8 0H72V36L56 52H24L8 36Z' },
      { role: 'level', d: 'M8 0H72V36L56 52H24L8 36Z' },
      { role: 'line', d: 'M8 0H72V36L56 52H24L8 36ZM28 52L20 120M52 52L60 120M24 86H56M40 52V120' },
    ],
    [
      { id: 'bottom', x: 40, y: 120, side: 'bottom' },
      { id: 'left', x: 8, y: 20, side: 'left' },
      { id: 'right', x: 72, y: 20, side: 'right' },
    ],
  ),
  symbol(
    'water.well',
    [40, 96],
    [
      { role: 'body', d: 'M8 16H32V96H8Z' },
      { role: 'level', d: 'M8 16H32V96H8Z' },
      { role: 'line', d: 'M0 16H40M8 16V96M32 16V96' },
      { role: 'line', d: 'M20 0V72' },
    ],
    [{ id: 'top', x: 20, y: 0, side: 'top' }],
  ),
  symbol(
    'water.sluice',
    [40, 64],
    [
      { role: 'line', d: 'M4 16V64M36 16V64M20 0V16M10 0H30' },
      { role: 'shut', d: 'M6 28H34V64H6Z' },
      { role: 'open', d: 'M6 16H34V28H6Z' },
    ],
    [
      { id: 'left', x: 4, y: 54, side: 'left' },
      { id: 'right', x: 36, y: 54, side: 'right' },
    ],
  ),
  symbol(
    'water.weir',
    [64, 48],
    [
      { role: 'body', d: 'M24 48V16H40V48Z' },
      { role: 'line', d: 'M0 12Q8 6 16 12T32 12Q44 14 46 32T64 40' },
    ],
    middles([64, 48], 'left', 'right'),
  ),
  symbol(
    'water.aerator',
    [80, 40],
    [
      { role: 'run', d: 'M4 24H76V32H4Z' },
      { role: 'fine', d: 'M14 18A3 3 0 1 1 14 12M30 14A3 3 0 1 1 30 8M48 18A3 3 0 1 1 48 12M64 14A3 3 0 1 1 64 8' },
      { role: 'line', d: 'M40 32V40' },
    ],
    [{ id: 'bottom', x: 40, y: 40, side: 'bottom' }],
  ),
  symbol(
    'water.clarifier',
    [120, 72],
    [
      { role: 'body', d: 'M0 8V40L50 72H70L120 40V8Z' },
      { role: 'level', d: 'M0 8V40L50 72H70L120 40V8Z' },
      { role: 'line', d: 'M0 8V40L50 72H70L120 40V8M60 0V60M20 40L60 60L100 40' },
    ],
    [
      { id: 'left', x: 0, y: 16, side: 'left' },
      { id: 'right', x: 120, y: 16, side: 'right' },
      { id: 'bottom', x: 60, y: 72, side: 'bottom' },
    ],
  ),
  symbol(
    'water.hydrant',
    [32, 56],
    [
      { role: 'body', d: 'M8 16Q8 4 16 4T24 16V56H8Z' },
      { role: 'line', d: 'M0 28H8M24 28H32M0 22V34M32 22V34' },
    ],
    [{ id: 'bottom', x: 16, y: 56, side: 'bottom' }],
  ),
]
