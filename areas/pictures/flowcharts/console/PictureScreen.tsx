import { App } from 'antd'
import { lazy, type RefObject, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Action } from '../../../../contract/picture/scene.ts'
import { flowchartCalls, givenAs, type Opened } from '../contract.ts'
import type { Seen } from '../svgFile.ts'
import { parametersOf } from './acting.ts'
import type { Hand } from './engine/usePanZoom.ts'
import { PictureHead } from './PictureHead.tsx'
import { type Lead, PictureView } from './PictureView.tsx'
import { Trail } from './Trail.tsx'
import { useActing } from './useActing.tsx'
import { useFaces } from './useFaces.ts'
import { usePictureData } from './usePictureData.ts'

const AlarmRows = lazy(() => import('./AlarmRows.tsx'))
const Faceplates = lazy(() => import('./Faceplates.tsx'))
const Replayed = lazy(() => import('./Replayed.tsx'))

/** Maximum width of a faceplate, px. */
const faceWidth = 388

/** A live picture of a project, with navigation to the others. */
const Picture = ({ opened, parameters }: { opened: Opened; parameters: ReturnType<typeof givenAs> }) => {
  const t = useWords()
  const { message } = App.useApp()
  const chart = opened.Flowchart
  const id = chart.Id
  const stage = useRef<HTMLDivElement>(null)
  const hand = useRef<RefObject<Hand> | null>(null)
  const seen = useRef<(() => Seen | undefined) | null>(null)
  const lead = useRef<Lead | null>(null)
  const point = Number(useSearchParams()[0].get('point'))
  useEffect(() => {
    document.title = chart.FlowchartName
  }, [chart])
  /** End of the replay; undefined while the picture is live. */
  const [until, setUntil] = useState<number>()
  const [showsAlarms, setShowsAlarms] = useState(false)
  const faces = useFaces()
  const { curves, rows, marks } = usePictureData({ Id: id, ...(parameters.length ? { Parameters: parameters } : {}) }, opened)
  const origin = useMemo(
    () => ({ Id: id, Version: opened.Version, ...(parameters.length ? { Parameters: parameters } : {}) }),
    [id, opened.Version, parameters],
  )
  const openFace = useCallback(
    (item: string, action: Action) => {
      const box = stage.current?.getBoundingClientRect()
      const node = stage.current?.querySelector(`[data-item="${item}"]`)?.getBoundingClientRect()
      if (!box || !node) return
      const [right, left] = [node.right - box.left + 12, node.left - box.left - 12 - faceWidth]
      const fits = (x: number) =>
        x >= 0 && x + faceWidth <= box.width && !faces.all.some((one) => one.pinned && Math.abs(one.x - x) < faceWidth)
      const x = [right, right + faceWidth, left, left - faceWidth].find(fits) ?? right
      const y = Math.max(0, Math.min(node.top - box.top, box.height - 240))
      faces.open(item, action, { x: Math.max(0, Math.min(x, box.width - faceWidth)), y })
    },
    [faces.open, faces.all],
  )
  const { shown, act, dialogs } = useActing({ opened, origin, rows: rows ?? [], face: openFace, name: chart.FlowchartName })
  const live = useMemo(() => ({ ...shown, Alarms: marks ?? shown.Alarms }), [shown, marks])
  const leadTo = (ParaId: number | null) => {
    if (ParaId !== null && !lead.current?.(ParaId)) message.info(t('pictures.notDrawn'))
  }
  // A link from an alarm leads to its point in the picture.
  useEffect(() => {
    if (!(point > 0)) return
    const timer = setInterval(() => lead.current?.(point) && clearInterval(timer), 200)
    const end = setTimeout(() => clearInterval(timer), 5000)
    return () => {
      clearInterval(timer)
      clearTimeout(end)
    }
  }, [point])
  const count = rows?.length ?? 0
  return (
    <article className="page picture-page">
      <Trail name={chart.FlowchartName} />
      <PictureHead
        {...{ chart, parameters, hand, stage, seen, count, showsAlarms }}
        isReplayed={until !== undefined}
        toggleAlarms={() => setShowsAlarms(!showsAlarms)}
        replay={() => setUntil(Date.now())}
      />
      <div ref={stage} className="picture-stage">
        {until ? (
          <Suspense>
            <Replayed key={id} opened={opened} until={until} hand={hand} seen={seen} close={() => setUntil(undefined)} />
          </Suspense>
        ) : (
          <PictureView key={id} opened={live} act={act} hand={hand} lead={lead} curves={curves} seen={seen} rows={rows} />
        )}
        {showsAlarms && !until && (
          <aside className="picture-overlay" aria-label={t('pictures.alarms')}>
            <Suspense>
              {count ? <AlarmRows rows={rows!} lead={({ ParaId }) => leadTo(ParaId)} /> : <p className="soft">{t('alarm.noActive')}</p>}
            </Suspense>
          </aside>
        )}
        <Suspense>{!until && faces.all.length > 0 && <Faceplates faces={faces} origin={origin} />}</Suspense>
      </div>
      {dialogs}
    </article>
  )
}

const PictureScreen = () => {
  const id = Number(useParams().id)
  const [query] = useSearchParams()
  const asked = query.toString()
  const parameters = useMemo(() => givenAs(parametersOf(new URLSearchParams(asked))), [asked])
  const body = { Id: id, ...(parameters.length ? { Parameters: parameters } : {}) }
  const { data: opened, error, refetch } = useCall(flowchartCalls.open, { body, of: ['flowchart'], enabled: id > 0 })
  if (error) return <Failure fault={error} retry={() => refetch()} />
  return opened ? <Picture key={`${opened.Flowchart.Id} ${asked}`} opened={opened} parameters={parameters} /> : null
}
export default PictureScreen
