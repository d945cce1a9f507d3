import { middles, type PictureSymbol, symbol } from '../symbol.ts'

const all = (size: readonly [number, number]) => middles(size, 'left', 'right', 'top', 'bottom')
/** Heat exchangers, boilers and coolers: ISO 10628-2, group 3. */
export const symbols: readonly PictureSymbol[] = [
  symbol(
    'heat.exchanger',
    [48, 48],
    [
      { role: 'body', d: 'M24 0A24 24 0 1 1 24 48A24 24 0 1 1 24 0Z' },
      { role: 'line', d: 'M0 24H12L18 14L30 34L36 24H48' },
    ],
    all([48, 48]),
  ),
  symbol(
    'heat.plate',
    [40, 64],
    [
      { role: 'body', d: 'M0 0H40V64H0Z' },
      { role: 'line', d: 'M8 0V64M16 0V64M24 0V64M32 0V64' },
    ],
    all([40, 64]),
  ),
  symbol(
    'heat.shell',
    [120, 40],
    [
      { role: 'body', d: 'M12 0H108Q120 0 120 20T108 40H12Q0 40 0 20T12 0Z' },
      { role: 'line', d: 'M20 0V40M100 0V40' },
      { role: 'fine', d: 'M20 12H100M20 20H100M20 28H100' },
    ],
    all([120, 40]),
  ),
  symbol(
    'heat.air-cooler',
    [80, 48],
    [
      { role: 'body', d: 'M0 0H80V24H0Z' },
      { role: 'line', d: 'M4 12H16L24 4L40 20L56 4L64 12H76' },
      { role: 'run', d: 'M40 28A10 10 0 1 1 40 48A10 10 0 1 1 40 28Z' },
      { role: 'rotor', d: 'M40 32V44M34 38H46', about: [40, 38] },
    ],
    middles([80, 24], 'left', 'right'),
  ),
  symbol(
    'heat.heater',
    [40, 40],
    [
      { role: 'run', d: 'M0 0H40V40H0Z' },
      { role: 'rotor', d: 'M4 20H10L14 10L20 30L26 10L30 20H36' },
    ],
    all([40, 40]),
  ),
  symbol(
    'heat.boiler',
    [80, 96],
    [
      { role: 'body', d: 'M0 12Q40 -8 80 12V96H0Z' },
      { role: 'level', d: 'M4 30H76V60H4Z' },
      { role: 'line', d: 'M0 12Q40 -8 80 12V96H0Z' },
      { role: 'run', d: 'M30 92Q20 80 32 72Q34 80 40 66Q56 80 50 92Z' },
    ],
    all([80, 96]),
  ),
  symbol(
    'heat.burner',
    [48, 40],
    [
      { role: 'body', d: 'M0 8H24V32H0Z' },
      { role: 'run', d: 'M24 12Q36 4 48 20Q36 36 24 28Z' },
    ],
    [{ id: 'left', x: 0, y: 20, side: 'left' }],
  ),
  symbol(
    'heat.tower',
    [80, 80],
    [
      { role: 'body', d: 'M0 80L14 20H66L80 80Z' },
      { role: 'line', d: 'M8 50H72' },
      { role: 'fine', d: 'M20 56L24 70M36 56L38 70M52 56L52 70M64 56L66 70' },
      { role: 'run', d: 'M40 0A10 10 0 1 1 40 20A10 10 0 1 1 40 0Z' },
      { role: 'rotor', d: 'M40 3V17M33 10H47', about: [40, 10] },
    ],
    [
      { id: 'in', x: 8, y: 46, side: 'left' },
      { id: 'out', x: 40, y: 80, side: 'bottom' },
    ],
  ),
  symbol('heat.coil', [60, 32], [{ role: 'line', d: 'M0 16H8Q12 -8 18 16T30 16T42 16T52 16H60' }], middles([60, 32], 'left', 'right')),
]
