import './works.css'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { useMobile } from '../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../console/words/words.ts'
import { alarmCalls } from '../../../alarms/alarms/contract.ts'
import { PartBox } from './Part.tsx'
import { useDemoDevices } from './useDemoDevices.ts'
import { parts, pipesOf, sizeOf } from './works.ts'

/** The water works of the demo company, drawn and live. */
export const WaterWorks = () => {
  const t = useWords()
  const layout = useMobile() ? 'tall' : 'wide'
  const { devices } = useDemoDevices()
  const groups = useCall(alarmCalls.groups, { query: { By: 'DeviceId' }, of: ['alarmInfo'], enabled: Boolean(devices) })
  const { hash } = useLocation()
  const section = useRef<HTMLElement>(null)
  const shown = Boolean(devices?.size)
  useEffect(() => {
    if (shown && hash === '#overview') section.current?.scrollIntoView()
  }, [shown, hash])
  if (!shown) return null
  const { width, height } = sizeOf(layout)
  return (
    <section ref={section} id="overview" className="panel works" aria-label={t('works.title')}>
      <div className="panel-head">
        <h2>{t('works.title')}</h2>
        <span className="soft">{t('works.hint')}</span>
      </div>
      <svg className={`works-${layout}`} viewBox={`0 0 ${width} ${height}`} role="presentation">
        <defs>
          <marker
            id="works-arrow"
            viewBox="0 0 6 8"
            refX="6"
            refY="4"
            markerWidth="6"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0 0L6 4L0 8Z" />
          </marker>
        </defs>
        {pipesOf(layout).map((d) => (
          <path key={d} className="works-pipe" d={d} markerEnd="url(#works-arrow)" />
        ))}
        {parts.map((part) => {
          const own = devices?.get(part.unit)
          return (
            own && <PartBox key={part.key} part={part} device={own} alarms={groups.data?.find((g) => g.Key === own.id)} layout={layout} />
          )
        })}
      </svg>
    </section>
  )
}
export default WaterWorks
