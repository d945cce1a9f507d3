import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import type { patrolCalls } from '../contract.ts'

type Point = Answer<typeof patrolCalls.route>['Items'][number]
const [width, height, margin] = [480, 260, 24]

/** Map of the points, north up, with the path between readings in the order they were read. */
export const RouteMap = ({ of: points, isOver }: { of: readonly Point[]; isOver: boolean }) => {
  const t = useWords()
  const placed = points.flatMap((point, i) =>
    point.Longitude === null || point.Latitude === null ? [] : [{ ...point, n: i + 1, x: point.Longitude, y: -point.Latitude }],
  )
  if (placed.length < 2) return null
  // Degrees of longitude are shorter than those of latitude.
  const shrink = Math.cos((placed[0]!.y * Math.PI) / 180)
  const [xs, ys] = [placed.map((p) => p.x * shrink), placed.map((p) => p.y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const scale = Math.min(
    (width - 2 * margin) / Math.max(Math.max(...xs) - left, 1e-6),
    (height - 2 * margin) / Math.max(Math.max(...ys) - top, 1e-6),
  )
  const drawn = placed.map((p, i) => ({ ...p, x: margin + (xs[i]! - left) * scale, y: margin + (ys[i]! - top) * scale }))
  const walked = drawn.filter((p) => p.ReadTime).toSorted((a, b) => (a.ReadTime! < b.ReadTime! ? -1 : 1))
  return (
    <figure className="patrol-map">
      <figcaption>{t('patrol.map')}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t('patrol.map')}>
        <polyline className="patrol-way" points={walked.map(({ x, y }) => `${x},${y}`).join(' ')} />
        {drawn.map(({ RfidId, n, x, y, ReadTime, CardName }) => (
          <g key={RfidId} className={ReadTime ? 'is-read' : isOver ? 'is-missed' : ''}>
            <title>{CardName}</title>
            {/* A missed point has a different shape, not only a different colour. */}
            {ReadTime || !isOver ? <circle cx={x} cy={y} r={11} /> : <rect x={x - 10} y={y - 10} width={20} height={20} />}
            <text x={x} y={y}>
              {n}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  )
}
