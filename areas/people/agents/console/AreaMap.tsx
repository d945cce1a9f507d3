import './map.css'
import { useCall } from '../../../../console/kernel/api.ts'
import { useMode } from '../../../../console/theme/mode.ts'
import { lines as palette } from '../../../../console/theme/tokens.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { type Area, agentCalls } from '../contract.ts'

/** Provinces as tiles of equal size, near their real position: [column, row]. Needs no external map. */
const places: Record<string, [number, number]> = {
  ...{ 23: [8, 0], 15: [6, 1], 22: [8, 1] },
  ...{ 65: [1, 2], 62: [3, 2], 64: [4, 2], 14: [5, 2], 13: [6, 2], 11: [7, 2], 21: [8, 2] },
  ...{ 54: [1, 3], 63: [2, 3], 61: [4, 3], 41: [5, 3], 37: [6, 3], 12: [7, 3] },
  ...{ 51: [3, 4], 50: [4, 4], 42: [5, 4], 34: [6, 4], 32: [7, 4], 31: [8, 4] },
  ...{ 53: [3, 5], 52: [4, 5], 43: [5, 5], 36: [6, 5], 33: [7, 5] },
  ...{ 45: [4, 6], 44: [5, 6], 35: [6, 6], 71: [8, 6], 46: [4, 7], 82: [5, 7], 81: [6, 7] },
}
/** Short name without the type of province: 新疆维吾尔自治区 becomes 新疆. */
const short = (name: string) => name.replace(/(?:省|市|(?:壮族|回族|维吾尔)?自治区|特别行政区)$/, '')

type Props = { counts?: readonly { AreaCode: string; Count: number; Outside: number }[] }

/** Agent of each province, number of gateways last seen there, and number of those outside their regions. */
export const AreaMap = ({ counts = [] }: Props) => {
  const t = useWords()
  const colours = palette[useMode((s) => s.mode)]
  const provinces = (useCall(agentCalls.areas, { query: { type: 1 } }).data ?? []) as Area[]
  const { data: regions = [] } = useCall(agentCalls.regions, { body: {}, of: ['agent'] })
  // The names of provinces are Chinese.
  if (language() !== 'zh') return null
  const agents = [...new Map(regions.map((r) => [r.AgentId, r.AgentName]))]
  const colourOf = (id: number) => colours[agents.findIndex(([agent]) => agent === id) % colours.length]
  return (
    <figure className="area-map">
      <ul aria-label={t('agent.map')}>
        {provinces.flatMap(({ AreaCode, AreaName }) => {
          const place = places[AreaCode.slice(0, 2)]
          if (!place) return []
          const own = regions.filter((r) => r.AreaCode.slice(0, 2) === AreaCode.slice(0, 2))
          const owners = [...new Set(own.map((r) => r.AgentName))]
          const count = counts.find((c) => c.AreaCode === AreaCode)
          const colour = own[0] && colourOf(own[0].AgentId)
          return [
            <li
              key={AreaCode}
              style={{ gridColumn: place[0] + 1, gridRow: place[1] + 1, ...(colour ? { borderBottomColor: colour } : {}) }}
              data-outside={count?.Outside ? 'yes' : undefined}
              title={[AreaName, ...owners, count ? t('agent.seen', { count: count.Count, outside: count.Outside }) : '']
                .filter(Boolean)
                .join('\n')}
            >
              <span>{short(AreaName)}</span>
              {count && <strong>{count.Outside ? `${count.Count} · ${count.Outside}!` : count.Count}</strong>}
            </li>,
          ]
        })}
      </ul>
      <figcaption>
        {agents.map(([id, name]) => (
          <span key={id}>
            <i style={{ background: colourOf(id) }} /> {name}
          </span>
        ))}
        <span className="soft">{agents.length ? t('agent.mapHint') : t('agent.noRegions')}</span>
      </figcaption>
    </figure>
  )
}
