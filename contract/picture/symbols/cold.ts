import { middles, type PictureSymbol, symbol } from '../symbol.ts'

/** Refrigeration and cold stores: ISO 14617, EN 1861. */
export const symbols: readonly PictureSymbol[] = [
  symbol(
    'cold.room',
    [160, 120],
    [
      { role: 'body', d: 'M0 0H160V120H0Z' },
      { role: 'line', d: 'M6 6H154V114H6Z' },
    ],
    middles([160, 120], 'left', 'right', 'top'),
  ),
  symbol(
    'cold.evaporator',
    [64, 40],
    [
      { role: 'body', d: 'M0 0H64V40H0Z' },
      { role: 'run', d: 'M18 8A12 12 0 1 1 18 32A12 12 0 1 1 18 8ZM46 8A12 12 0 1 1 46 32A12 12 0 1 1 46 8Z' },
      { role: 'rotor', d: 'M18 12V28M10 20H26', about: [18, 20] },
      { role: 'rotor', d: 'M46 12V28M38 20H54', about: [46, 20] },
    ],
    middles([64, 40], 'left', 'right'),
  ),
  symbol(
    'cold.condenser',
    [80, 40],
    [
      { role: 'body', d: 'M0 0H80V40H0Z' },
      { role: 'line', d: 'M0 10H70V20H10V30H80' },
    ],
    [
      { id: 'in', x: 0, y: 10, side: 'left' },
      { id: 'out', x: 80, y: 30, side: 'right' },
    ],
  ),
  symbol(
    'cold.compressor',
    [48, 48],
    [
      { role: 'run', d: 'M24 0A24 24 0 1 1 24 48A24 24 0 1 1 24 0Z' },
      { role: 'rotor', d: 'M8 6L45 16M8 42L45 32' },
    ],
    middles([48, 48], 'left', 'right', 'top', 'bottom'),
  ),
  symbol(
    'cold.expansion',
    [40, 40],
    [
      { role: 'body', d: 'M0 12L40 36V12L0 36Z' },
      { role: 'line', d: 'M20 24V8' },
      { role: 'body', d: 'M10 8Q10 0 20 0T30 8Z' },
    ],
    [
      { id: 'left', x: 0, y: 24, side: 'left' },
      { id: 'right', x: 40, y: 24, side: 'right' },
    ],
  ),
  symbol(
    'cold.door',
    [48, 80],
    [
      { role: 'line', d: 'M0 0H48V80H0Z' },
      { role: 'shut', d: 'M4 4H44V80H4Z' },
      { role: 'open', d: 'M4 4L20 12V76L4 80Z' },
    ],
    [],
  ),
  symbol(
    'cold.freezer',
    [120, 60],
    [
      { role: 'body', d: 'M0 8H120V60H0Z' },
      { role: 'line', d: 'M0 8L8 0H112L120 8M60 8V60' },
    ],
    [],
  ),
  symbol(
    'cold.snow',
    [40, 40],
    [
      { role: 'run', d: 'M20 0A20 20 0 1 1 20 40A20 20 0 1 1 20 0Z' },
      { role: 'rotor', d: 'M20 6V34M8 13L32 27M8 27L32 13' },
    ],
    [],
  ),
]
