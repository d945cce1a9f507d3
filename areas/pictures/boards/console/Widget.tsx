import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import { namesOf } from '../../../../console/chart/names.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type Kind, type Widget as Of, ofPast, ofPoints } from '../contract.ts'
import { OnMap, Picture, usePicture } from './Parts.tsx'
import { Card, Photo, Text } from './Still.tsx'
import { AlarmList, DeviceTable, PointTable } from './Tables.tsx'
import { useBoard, usePoints } from './useBoardData.ts'
import { Gauges, Values } from './Values.tsx'

export type WidgetProps = { widget: Of; height: number }

const Curves = lazy(() => import('./Curves.tsx'))
const Bars = lazy(() => import('./Bars.tsx'))
const States = lazy(() => import('./States.tsx'))
const Heat = lazy(() => import('./Heat.tsx'))
const SavedChart = lazy(() => import('./SavedChart.tsx'))

const faces: Record<Kind, ComponentType<WidgetProps>> = {
  value: Values,
  gauge: Gauges,
  trend: Curves,
  bars: Bars,
  states: States,
  heat: Heat,
  chart: SavedChart,
  points: PointTable,
  devices: DeviceTable,
  alarms: AlarmList,
  map: OnMap,
  picture: Picture,
  text: Text,
  image: Photo,
  card: Card,
}
/** Kinds that need no title. */
const untitled: readonly Kind[] = ['text', 'image', 'card', 'chart']

const scrolls: readonly Kind[] = ['value', 'gauge', 'states', 'heat', 'chart', 'points', 'devices', 'alarms', 'text', 'card']

const Note = ({ children }: { children: ReactNode }) => <p className="board-note soft">{children}</p>

const useTitle = (widget: Of) => {
  const t = useWords()
  const points = usePoints(widget)
  const picture = usePicture(widget)
  const group = useBoard().data?.Groups.find(({ Id }) => Id === widget.Group)
  if (widget.Title) return widget.Title
  if (group && ofPoints.includes(widget.Kind)) return group.GroupName
  if (picture) return picture.FlowchartName
  if (untitled.includes(widget.Kind)) return ''
  return points.length === 1 ? namesOf(points)[0]! : t(`board.kind.${widget.Kind}`)
}

/** Link target of a widget. */
const useLead = (widget: Of) => {
  const points = usePoints(widget)
  const { rangeQuery } = useBoard()
  const [seesTrends, seesAlarms] = [useMay('m10301'), useMay('m10201')]
  const [seesMaps, seesPictures] = [useMay('m10311'), useMay('m10125')]
  const picture = usePicture(widget)
  if (widget.Kind === 'map') return seesMaps ? '/visualizationCenter/map' : undefined
  if (widget.Kind === 'picture') return picture && seesPictures ? `/projectDetailsManagement/flowChart/${picture.Id}` : undefined
  if (widget.Kind === 'alarms') return seesAlarms ? '/alarmManagement/alarmInfo' : undefined
  if (!ofPoints.includes(widget.Kind) || !points.length || !seesTrends) return undefined
  const ids = points.slice(0, 7).map((p) => p.ParaId)
  return `/dataAnalysis/realTimeData?points=${ids.join()}${rangeQuery}`
}

const Body = (props: WidgetProps) => {
  const t = useWords()
  const { data, series, isEdited, isPastThere } = useBoard()
  const points = usePoints(props.widget)
  const { Kind, Points = [], PointNames = [], Group } = props.widget
  if (ofPoints.includes(Kind)) {
    if (!data) return null
    if (!Points.length && !PointNames.length && !Group) return <Note>{t('board.noPoints')}</Note>
    if (!points.length)
      return <Note>{t(!PointNames.length ? 'board.withheld' : data.DeviceId ? 'board.noSuchPoint' : 'board.chooseDevice')}</Note>
    const isUnsaved = isEdited && ofPast.includes(Kind) && points.every((p) => !series.has(p.ParaId))
    if (isUnsaved) return isPastThere || !series.size ? <Note>{t('board.afterSaving')}</Note> : null
  }
  const Face = faces[Kind]
  return (
    <Suspense fallback={null}>
      <Face {...props} />
    </Suspense>
  )
}

export const headHeight = 32
/** A widget: title with link, and content. */
export const Widget = ({ widget, height, tools }: WidgetProps & { tools?: ReactNode }) => {
  const t = useWords()
  const title = useTitle(widget)
  const lead = useLead(widget)
  const hasHead = Boolean(title || tools)
  const name = title || t(`board.kind.${widget.Kind}`)
  return (
    <section className={`board-widget of-${widget.Kind}`} aria-label={name}>
      {hasHead && (
        <header className="board-widget-head">
          <h2>{lead && !tools ? <Link to={lead}>{title}</Link> : title}</h2>
          {tools}
        </header>
      )}
      {/* Scrollable content must be reachable by keyboard. */}
      <div
        className="board-widget-body"
        inert={tools !== undefined}
        {...(scrolls.includes(widget.Kind) && { tabIndex: 0, role: 'group', 'aria-label': name })}
      >
        <Body widget={widget} height={height - (hasHead ? headHeight : 0)} />
      </div>
    </section>
  )
}
