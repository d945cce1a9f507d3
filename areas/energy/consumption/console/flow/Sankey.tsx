import { sankey, sankeyLeft, sankeyLinkHorizontal } from 'd3-sankey'
import { useId } from 'react'
import { useWords } from '../../../../../console/words/words.ts'
import { madeText } from '../MadeOf.tsx'
import type { Band } from './bands.ts'

type Node = { key: string; band: Band; parent?: Band }
type Link = { source: string; target: string; value: number }

const listed = (bands: readonly Band[], parent?: Band): Node[] =>
  bands.flatMap((band) => [{ key: band.key, band, ...(parent ? { parent } : {}) }, ...listed(band.parts, band)])
const joined = (bands: readonly Band[]): Link[] =>
  bands.flatMap((band) => [...band.parts.map((part) => ({ source: band.key, target: part.key, value: part.value })), ...joined(band.parts)])
const leavesOf = (bands: readonly Band[]): number => bands.reduce((sum, { parts }) => sum + (parts.length ? leavesOf(parts) : 1), 0)

const [nodeWidth, labelRoom, lineHeight] = [12, 210, 15]
const cut = (text: string, room: number) => (text.length > room ? `${text.slice(0, room - 1)}…` : text)

type Props = {
  bands: readonly Band[]
  width: number
  label: string
  nameOf: (band: Band) => string
  textOf: (band: Band, parent?: Band) => string
  chosen: number | undefined
  choose: (id: number) => void
}
/** The flow as bands whose widths are amounts. The hatched part of a band was counted only at the end of a long gap. */
export const Sankey = ({ bands, width, label, nameOf, textOf, chosen, choose }: Props) => {
  const t = useWords()
  const id = useId().replaceAll(/\W/g, '')
  const height = Math.max(220, leavesOf(bands) * 52 + 32)
  const layout = sankey<Node, Link>()
    .nodeId(({ key }) => key)
    .nodeAlign(sankeyLeft)
    .nodeSort(null)
    .nodeWidth(nodeWidth)
    .nodePadding(32)
    .extent([
      [1, 16],
      [width - labelRoom, height - 16],
    ])
  const { nodes, links } = layout({ nodes: listed(bands), links: joined(bands) })
  const draw = sankeyLinkHorizontal()
  return (
    <svg className="sankey" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <title>{label}</title>
      <defs>
        <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line x1="0" y1="0" x2="0" y2="6" className="sankey-hatch" />
        </pattern>
      </defs>
      <g>
        {links.map((link) => {
          const { band } = link.target
          const d = draw(link) ?? ''
          const missing = (band.row && band.kind === 'circuit' ? (band.row.Shares?.Missing ?? 0) : 0) / 100
          return (
            <g key={band.key}>
              <path d={d} className={`sankey-link sankey-${band.kind}`} strokeWidth={Math.max(1, link.width ?? 1)} />
              {missing > 0.005 && (
                <path d={d} className="sankey-gap" stroke={`url(#${id})`} strokeWidth={Math.max(1, (link.width ?? 1) * missing)} />
              )}
            </g>
          )
        })}
      </g>
      {nodes.map((node) => {
        const { key, band, parent } = node
        const [x0, x1, y0, y1] = [node.x0 ?? 0, node.x1 ?? 0, node.y0 ?? 0, node.y1 ?? 0]
        const [name, text] = [nameOf(band), textOf(band, parent)]
        const middle = (y0 + y1) / 2
        const pick = band.kind === 'circuit' && band.row ? () => choose(band.row!.EnergyInfoId) : undefined
        const title = [`${name}: ${text}`, ...(band.row && band.kind === 'circuit' ? [madeText(band.row, t)] : [])].join('\n')
        const isChosen = band.kind === 'circuit' && band.row?.EnergyInfoId === chosen
        const content = (
          <>
            <title>{title}</title>
            <rect
              className="sankey-target"
              x={x0 - 2}
              y={Math.min(y0, middle - 18)}
              width={x1 - x0 + labelRoom - 24}
              height={Math.max(y1 - y0, 36)}
            />
            <rect className={`sankey-node sankey-${band.kind}`} x={x0} y={y0} width={x1 - x0} height={Math.max(2, y1 - y0)} />
            <text x={x1 + 8} y={middle - 2} className={isChosen ? 'sankey-name sankey-chosen' : 'sankey-name'}>
              {cut(name, 28)}
            </text>
            <text x={x1 + 8} y={middle - 2 + lineHeight} className="sankey-text">
              {text}
            </text>
          </>
        )
        if (!pick) return <g key={key}>{content}</g>
        return (
          <a
            key={key}
            href={`?node=${band.row!.EnergyInfoId}`}
            className="sankey-link-to"
            onClick={(event) => {
              event.preventDefault()
              pick()
            }}
          >
            {content}
          </a>
        )
      })}
    </svg>
  )
}
