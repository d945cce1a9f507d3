import { middles, type PictureSymbol, symbol } from '../symbol.ts'

const all = (size: readonly [number, number]) => middles(size, 'left', 'right', 'top', 'bottom')
/** Filters, separators and disinfection: ISO 10628-2, groups 8 to 10. */
export const symbols: readonly PictureSymbol[] = [
  symbol(
    'filter.filter',
    [48, 64],
    [
      { role: 'body', d: 'M0 0H48V64H0Z' },
      { role: 'line', d: 'M0 32H48' },
      { role: 'fine', d: 'M4 32V36M10 32V36M16 32V36M22 32V36M28 32V36M34 32V36M40 32V36M46 32V36' },
    ],
    all([48, 64]),
  ),
  symbol(
    'filter.sand',
    [64, 96],
    [
      { role: 'body', d: 'M0 16Q0 0 32 0T64 16V80Q64 96 32 96T0 80Z' },
      { role: 'level', d: 'M0 16Q0 0 32 0T64 16V80Q64 96 32 96T0 80Z' },
      { role: 'line', d: 'M0 16Q0 0 32 0T64 16V80Q64 96 32 96T0 80ZM0 40H64M0 72H64' },
      { role: 'fine', d: 'M8 50H10M22 48H24M36 52H38M50 48H52M14 60H16M30 62H32M44 60H46M56 62H58' },
    ],
    all([64, 96]),
  ),
  symbol(
    'filter.strainer',
    [40, 40],
    [
      { role: 'body', d: 'M0 0H40L20 40Z' },
      { role: 'fine', d: 'M6 8H34M12 18H28' },
    ],
    middles([40, 40], 'left', 'right', 'bottom'),
  ),
  symbol(
    'filter.bag',
    [60, 80],
    [
      { role: 'body', d: 'M0 0H60V48L36 80H24L0 48Z' },
      { role: 'fine', d: 'M12 8V40H18V8M27 8V40H33V8M42 8V40H48V8' },
    ],
    all([60, 80]),
  ),
  symbol(
    'filter.membrane',
    [80, 40],
    [
      { role: 'body', d: 'M0 0H80V40H0Z' },
      { role: 'line', d: 'M0 40L80 0' },
    ],
    all([80, 40]),
  ),
  symbol(
    'filter.cyclone',
    [48, 80],
    [
      { role: 'body', d: 'M0 8H48V36L28 80H20L0 36Z' },
      { role: 'line', d: 'M18 0V24H30V0' },
    ],
    [
      { id: 'in', x: 0, y: 16, side: 'left' },
      { id: 'top', x: 24, y: 0, side: 'top' },
      { id: 'bottom', x: 24, y: 80, side: 'bottom' },
    ],
  ),
  symbol(
    'filter.centrifuge',
    [60, 48],
    [
      { role: 'body', d: 'M0 0H60V48H0Z' },
      { role: 'run', d: 'M12 10L48 4V44L12 38Z' },
    ],
    all([60, 48]),
  ),
  symbol(
    'filter.uv',
    [96, 40],
    [
      { role: 'body', d: 'M20 0H76Q96 0 96 20T76 40H20Q0 40 0 20T20 0Z' },
      { role: 'run', d: 'M20 12H76V16H20ZM20 24H76V28H20Z' },
    ],
    middles([96, 40], 'left', 'right'),
  ),
  symbol(
    'filter.screen',
    [40, 64],
    [
      { role: 'body', d: 'M0 0H40V64H0Z' },
      { role: 'line', d: 'M8 64L32 0' },
      { role: 'fine', d: 'M12 40L20 44M16 28L24 32M20 16L28 20' },
    ],
    middles([40, 64], 'left', 'right'),
  ),
]
