import { middles, type PictureSymbol, symbol } from '../symbol.ts'

/** Buildings: ventilation, light, safety, and what collects the data. */
export const symbols: readonly PictureSymbol[] = [
  symbol(
    'building.air-handler',
    [160, 64],
    [
      { role: 'body', d: 'M0 0H160V64H0Z' },
      { role: 'line', d: 'M40 0V64M80 0V64M40 64L80 0' },
      { role: 'run', d: 'M120 12A20 20 0 1 1 120 52A20 20 0 1 1 120 12Z' },
      { role: 'rotor', d: 'M120 18V46M106 32H134', about: [120, 32] },
      { role: 'fine', d: 'M10 8V56M18 8V56M26 8V56' },
    ],
    middles([160, 64], 'left', 'right'),
  ),
  symbol(
    'building.damper',
    [40, 40],
    [
      { role: 'line', d: 'M0 2H40M0 38H40' },
      { role: 'open', d: 'M6 20H34' },
      { role: 'shut', d: 'M18 4H22V36H18Z' },
    ],
    middles([40, 40], 'left', 'right'),
  ),
  symbol(
    'building.duct',
    [80, 40],
    [
      { role: 'body', d: 'M0 4H80V36H0Z' },
      { role: 'fine', d: 'M0 4L80 36M0 36L80 4' },
    ],
    middles([80, 40], 'left', 'right'),
  ),
  symbol(
    'building.lamp',
    [40, 40],
    [
      { role: 'run', d: 'M20 0A20 20 0 1 1 20 40A20 20 0 1 1 20 0Z' },
      { role: 'rotor', d: 'M6 6L34 34M6 34L34 6' },
    ],
    [{ id: 'top', x: 20, y: 0, side: 'top', line: 'power' }],
  ),
  symbol(
    'building.door',
    [40, 72],
    [
      { role: 'line', d: 'M0 0H40V72H0Z' },
      { role: 'shut', d: 'M4 4H36V72H4Z' },
      { role: 'open', d: 'M4 4L18 12V68L4 72Z' },
    ],
    [],
  ),
  symbol(
    'building.camera',
    [56, 40],
    [
      { role: 'body', d: 'M0 8H40V32H0Z' },
      { role: 'body', d: 'M40 16L56 8V32L40 24Z' },
      { role: 'line', d: 'M20 32V40' },
    ],
    [{ id: 'bottom', x: 20, y: 40, side: 'bottom', line: 'signal' }],
  ),
  symbol(
    'building.smoke',
    [40, 40],
    [
      { role: 'body', d: 'M0 0H40V40H0Z' },
      { role: 'line', d: 'M10 28Q10 20 20 20T30 12M10 20Q10 12 20 12' },
    ],
    [],
  ),
  symbol(
    'building.cabinet',
    [56, 80],
    [
      { role: 'body', d: 'M0 0H56V80H0Z' },
      { role: 'line', d: 'M28 0V80M22 38V44M34 38V44' },
    ],
    middles([56, 80], 'left', 'right', 'top', 'bottom').map((port) => ({ ...port, line: 'power' as const })),
  ),
  symbol(
    'building.gateway',
    [56, 40],
    [
      { role: 'body', d: 'M0 16H56V40H0Z' },
      { role: 'line', d: 'M44 16V0' },
      { role: 'fine', d: 'M36 8Q32 2 36 -1M52 8Q56 2 52 -1' },
      { role: 'solid', d: 'M8 28A3 3 0 1 1 8 29ZM18 28A3 3 0 1 1 18 29Z' },
    ],
    [
      { id: 'left', x: 0, y: 28, side: 'left', line: 'signal' },
      { id: 'right', x: 56, y: 28, side: 'right', line: 'signal' },
    ],
  ),
  symbol(
    'building.person',
    [32, 64],
    [
      { role: 'body', d: 'M16 0A8 8 0 1 1 16 16A8 8 0 1 1 16 0Z' },
      { role: 'body', d: 'M4 20H28V44H24V64H8V44H4Z' },
    ],
    [],
  ),
]
