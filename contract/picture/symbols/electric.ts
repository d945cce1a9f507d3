import type { Part, PictureSymbol, Port } from '../symbol.ts'
import { symbol } from '../symbol.ts'

type Size = readonly [width: number, height: number]
const line = (id: string, x: number, y: number, side: Port['side']): Port => ({ id, x, y, side, line: 'power' })
const upright = ([w, h]: Size) => [line('top', w / 2, 0, 'top'), line('bottom', w / 2, h, 'bottom')]
const one = (name: string, size: Size, parts: readonly Part[], ports = upright(size)) => symbol(`electric.${name}`, size, parts, ports)
const box = 'M4 12H36V44H4Z'
const boxed = (name: string, inside: string) =>
  one(
    name,
    [40, 56],
    [
      { role: 'line', d: 'M20 0V12M20 44V56' },
      { role: 'body', d: box },
      { role: 'line', d: inside },
    ],
  )

/** Single-line diagrams: IEC 60617. A switch that is open shows a gap. */
export const symbols: readonly PictureSymbol[] = [
  one(
    'breaker',
    [32, 56],
    [
      { role: 'line', d: 'M16 0V16M16 40V56' },
      { role: 'body', d: 'M4 16H28V40H4Z' },
      { role: 'shut', d: 'M4 16H28V40H4Z' },
      { role: 'open', d: 'M8 36L24 20' },
    ],
  ),
  one(
    'switch',
    [32, 48],
    [
      { role: 'line', d: 'M16 0V12M16 36V48' },
      { role: 'open', d: 'M16 36L2 14' },
      { role: 'shut', d: 'M15 12H17V36H15Z' },
    ],
  ),
  one(
    'disconnector',
    [32, 48],
    [
      { role: 'line', d: 'M16 0V12M10 12H22M16 36V48' },
      { role: 'open', d: 'M16 36L2 14' },
      { role: 'shut', d: 'M15 12H17V36H15Z' },
    ],
  ),
  one('earthing', [32, 40], [{ role: 'line', d: 'M16 0V16M2 16H30M8 24H24M13 32H19' }], [line('top', 16, 0, 'top')]),
  one(
    'fuse',
    [24, 56],
    [
      { role: 'body', d: 'M4 12H20V44H4Z' },
      { role: 'line', d: 'M12 0V56' },
    ],
  ),
  one(
    'transformer',
    [40, 72],
    [
      { role: 'line', d: 'M20 0V8M20 64V72' },
      { role: 'body', d: 'M20 8A16 16 0 1 1 20 40A16 16 0 1 1 20 8Z' },
      { role: 'line', d: 'M20 32A16 16 0 1 1 20 64A16 16 0 1 1 20 32Z' },
    ],
  ),
  one(
    'transformer-three',
    [64, 68],
    [
      { role: 'line', d: 'M32 0V4' },
      { role: 'body', d: 'M32 4A16 16 0 1 1 32 36A16 16 0 1 1 32 4Z' },
      { role: 'line', d: 'M20 28A16 16 0 1 1 20 60A16 16 0 1 1 20 28ZM44 28A16 16 0 1 1 44 60A16 16 0 1 1 44 28ZM20 60V68M44 60V68' },
    ],
    [line('top', 32, 0, 'top'), line('left', 20, 68, 'bottom'), line('right', 44, 68, 'bottom')],
  ),
  one(
    'busbar',
    [200, 8],
    [{ role: 'solid', d: 'M0 2H200V6H0Z' }],
    [
      line('left', 0, 4, 'left'),
      line('right', 200, 4, 'right'),
      line('one', 40, 8, 'bottom'),
      line('two', 100, 8, 'bottom'),
      line('three', 160, 8, 'bottom'),
      line('top', 100, 0, 'top'),
    ],
  ),
  one('current-transformer', [32, 40], [{ role: 'line', d: 'M16 0V40M16 8A12 12 0 1 1 16 32A12 12 0 1 1 16 8Z' }]),
  one(
    'motor',
    [40, 52],
    [
      { role: 'line', d: 'M20 0V12' },
      { role: 'run', d: 'M20 12A20 20 0 1 1 20 52A20 20 0 1 1 20 12Z' },
      { role: 'rotor', d: 'M12 40V24L20 34L28 24V40' },
    ],
    [line('top', 20, 0, 'top')],
  ),
  one(
    'generator',
    [40, 52],
    [
      { role: 'line', d: 'M20 0V12' },
      { role: 'run', d: 'M20 12A20 20 0 1 1 20 52A20 20 0 1 1 20 12Z' },
      { role: 'rotor', d: 'M28 26Q20 20 14 28T20 42Q28 42 28 34H21' },
    ],
    [line('top', 20, 0, 'top')],
  ),
  one('battery', [40, 48], [{ role: 'line', d: 'M20 0V16M4 16H36M12 24H28M4 32H36M12 40H28M20 40V48' }]),
  boxed('inverter', 'M4 44L36 12M8 20H18M22 36Q25 30 28 36T34 36'),
  boxed('rectifier', 'M4 44L36 12M8 20Q11 14 14 20T20 20M24 36H34'),
  boxed('ups', 'M10 24V30Q10 34 13 34T16 30V24M19 34V24H22Q25 24 25 27T22 30H19M32 24H28Q28 29 30 29T32 34H28'),
  boxed('meter', 'M12 20H28M12 28H24M12 36H28'),
  one(
    'panel',
    [64, 48],
    [
      { role: 'body', d: 'M8 0H64L56 40H0Z' },
      { role: 'fine', d: 'M5 14H61M3 27H58M24 0L18 40M44 0L38 40' },
      { role: 'line', d: 'M28 40V48' },
    ],
    [line('bottom', 28, 48, 'bottom')],
  ),
  one(
    'wind',
    [64, 96],
    [
      { role: 'line', d: 'M30 40L26 96H38L34 40' },
      { role: 'run', d: 'M32 30A6 6 0 1 1 32 42A6 6 0 1 1 32 30Z' },
      { role: 'line', d: 'M32 30L28 2L34 2ZM38 38L62 52L58 56ZM27 40L4 54L8 58Z' },
    ],
    [line('bottom', 32, 96, 'bottom')],
  ),
  one(
    'load',
    [32, 40],
    [
      { role: 'line', d: 'M16 0V24' },
      { role: 'body', d: 'M4 24H28L16 40Z' },
    ],
    [line('top', 16, 0, 'top')],
  ),
  one('capacitor', [32, 40], [{ role: 'line', d: 'M16 0V16M4 16H28M4 24H28M16 24V40' }]),
]
