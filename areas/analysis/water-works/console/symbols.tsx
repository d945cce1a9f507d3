// Outline symbols of the objects, 56 by 84. Colour marks abnormal states only (ISA-101).
import type { ReactNode } from 'react'
import type { Kind } from './works.ts'

/** Fill level of a tank, 0 to 1, undefined if unknown. */
type Fill = number | undefined
const water = (fill: Fill, top: number, height: number, left: number, width: number) =>
  fill === undefined ? null : <rect className="works-water" x={left} y={top + height * (1 - fill)} width={width} height={height * fill} />

/** A row of pumps. Running pumps are filled. */
export const Pumps = ({ running }: { running: readonly (boolean | undefined)[] }) =>
  running.map((runs, i) => {
    const [x, y] = [12 + (i % 2) * 26, 40 + Math.floor(i / 2) * 26]
    return (
      <g key={i} className={runs ? 'works-runs' : undefined}>
        <circle cx={x} cy={y} r={11} />
        <path d={`M${x - 5} ${y - 6}L${x + 7} ${y}L${x - 5} ${y + 6}Z`} />
      </g>
    )
  })

const drawings: Record<Kind, (fill: Fill, running: readonly (boolean | undefined)[]) => ReactNode> = {
  intake: (_, running) => (
    <>
      <path d="M0 8q7 -6 14 0t14 0t14 0t14 0M0 18q7 -6 14 0t14 0t14 0t14 0" />
      <Pumps running={running} />
    </>
  ),
  basin: (fill) => (
    <>
      {water(fill, 14, 44, 2, 52)}
      {fill === undefined ? null : <path className="works-water" d="M2 58H54L36 70H20Z" />}
      <path d="M2 10V58L20 70H36L54 58V10M28 4V44M18 44H38" />
    </>
  ),
  filters: () =>
    [0, 20, 40].map((x) => (
      <g key={x}>
        <path d={`M${x} 22a8 8 0 0 1 16 0V64H${x}Z`} />
        <path className="works-fine" d={`M${x} 34H${x + 16}M${x} 44H${x + 16}M${x} 54H${x + 16}`} />
      </g>
    )),
  uv: (_, [runs]) => (
    <>
      <rect x="2" y="24" width="52" height="36" rx="18" />
      <g className={runs ? 'works-runs' : undefined}>
        <path d="M14 36H42M14 48H42" strokeWidth="4" />
      </g>
    </>
  ),
  tank: (fill) => (
    <>
      {water(fill, 14, 56, 2, 52)}
      <path d="M2 10V70H54V10M28 14V70" />
    </>
  ),
  dosing: (fill) => (
    <>
      {water(fill, 24, 36, 10, 36)}
      <path d="M10 18V60H46V18M28 60V74M28 4V18" />
      <circle cx="28" cy="76" r="5" />
    </>
  ),
  pumps: (_, running) => <Pumps running={running} />,
  tower: (fill) => (
    <>
      {water(fill, 8, 26, 8, 40)}
      <path d="M8 6V34H48V6M16 34L10 78M40 34L46 78M13 58H43" />
    </>
  ),
  meter: () => (
    <>
      <circle cx="28" cy="42" r="24" />
      <path d="M28 42L40 28M32 22L22 42H34L24 62" />
    </>
  ),
  coldRoom: (_, [runs]) => (
    <>
      <rect x="4" y="16" width="48" height="56" />
      <g className={runs ? 'works-runs' : undefined}>
        <path d="M28 26V62M12.5 35L43.5 53M12.5 53L43.5 35" />
      </g>
    </>
  ),
  weather: () => <path d="M14 60a12 12 0 0 1 2 -24a15 15 0 0 1 28 4a10 10 0 0 1 -2 20ZM18 68L15 76M28 68L25 76M38 68L35 76" />,
}

export const PartSymbol = ({ kind, fill, running }: { kind: Kind; fill: Fill; running: readonly (boolean | undefined)[] }) => (
  <g className="works-symbol" transform="translate(8 38)">
    {drawings[kind](fill, running)}
  </g>
)
