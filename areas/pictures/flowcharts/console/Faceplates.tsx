import { CloseOutlined, PushpinFilled, PushpinOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef } from 'react'
import { Link } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { language, useWords } from '../../../../console/words/words.ts'
import { textIn } from '../../../../contract/picture/paint.ts'
import { flowchartCalls, type Opened } from '../contract.ts'
import type { Origin } from './ActDialog.tsx'
import AlarmRows from './AlarmRows.tsx'
import { PictureView } from './PictureView.tsx'
import { useActing } from './useActing.tsx'
import type { Faces, OpenFace } from './useFaces.ts'
import { usePictureData } from './usePictureData.ts'

const Content = ({ opened, origin }: { opened: Opened; origin: Origin }) => {
  const { Face, Id, Parameters } = origin
  const place = { Id, ...(Parameters?.length ? { Parameters } : {}), Face: Face! }
  const { curves, rows, marks } = usePictureData(place, opened)
  const { shown, act, dialogs } = useActing({ opened, origin, rows: rows ?? [], name: opened.Flowchart.FlowchartName })
  const live = useMemo(() => ({ ...shown, Alarms: marks ?? shown.Alarms }), [shown, marks])
  return (
    <>
      <PictureView opened={live} act={act} curves={curves} rows={rows} />
      {rows && rows.length > 0 && <AlarmRows rows={rows} />}
      {dialogs}
    </>
  )
}

type Props = { of: OpenFace; origin: Omit<Origin, 'Face'>; change: (next: OpenFace) => void; close: () => void }
/** Panel for a symbol: values of its device, its alarms, and actions. */
const Faceplate = ({ of, origin, change, close }: Props) => {
  const t = useWords()
  const panel = useRef<HTMLElement>(null)
  const phone = usePhone()
  const seesDevices = useMay('m10107')
  const full = { ...origin, Face: { Item: of.item, Action: 0 } }
  const { Version: _, ...place } = full
  const { data: opened, error, refetch } = useCall(flowchartCalls.open, { body: place, of: ['flowchart'] })
  // Moves the keyboard focus into the panel.
  useEffect(() => panel.current?.focus(), [])
  const start = useRef<{ x: number; y: number }>(undefined)
  const moved = (x: number, y: number) => change({ ...of, x: Math.max(0, x), y: Math.max(0, y) })
  const onDown = (event: PointerEvent<HTMLElement>) => {
    if ((event.target as Element).closest('button, a')) return
    start.current = { x: event.clientX - of.x, y: event.clientY - of.y }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onMove = (event: PointerEvent) => start.current && moved(event.clientX - start.current.x, event.clientY - start.current.y)
  const onUp = () => {
    start.current = undefined
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return close()
    const by = { ArrowLeft: [-16, 0], ArrowRight: [16, 0], ArrowUp: [0, -16], ArrowDown: [0, 16] }[event.key]
    if (!by || event.target !== panel.current) return
    event.preventDefault()
    moved(of.x + by[0]!, of.y + by[1]!)
  }
  const title = of.action.title === undefined ? undefined : textIn(of.action.title, language())
  const name = title || opened?.Device?.DeviceName || opened?.Flowchart.FlowchartName || ''
  return (
    <section
      ref={panel}
      className="faceplate"
      aria-label={t('face.of', { name })}
      tabIndex={-1}
      style={phone ? {} : { left: of.x, top: of.y }}
      onKeyDown={onKey}
    >
      <header onPointerDown={onDown} onPointerMove={onMove} onPointerUp={onUp} onPointerCancel={onUp}>
        <h2>
          {opened?.Device && seesDevices ? <Link to={`/projectManagement/devicePointList?Id=${opened.Device.Id}`}>{name}</Link> : name}
        </h2>
        <Button
          type="text"
          size="small"
          aria-pressed={of.pinned}
          aria-label={t(of.pinned ? 'face.unpin' : 'face.pin')}
          title={t(of.pinned ? 'face.unpin' : 'face.pin')}
          icon={of.pinned ? <PushpinFilled /> : <PushpinOutlined />}
          onClick={() => change({ ...of, pinned: !of.pinned })}
        />
        <Button type="text" size="small" aria-label={t('close')} icon={<CloseOutlined />} onClick={close} />
      </header>
      {error && <Failure fault={error} retry={() => refetch()} />}
      {opened && <Content opened={opened} origin={full} />}
    </section>
  )
}

/** All open faceplates of a picture. */
const Faceplates = ({ faces, origin }: { faces: Faces; origin: Omit<Origin, 'Face'> }) =>
  faces.all.map((face) => (
    <Faceplate
      key={face.key}
      of={face}
      origin={origin}
      change={(next) => faces.set(faces.all.map((one) => (one.key === next.key ? next : one)))}
      close={() => faces.set(faces.all.filter(({ key }) => key !== face.key))}
    />
  ))
export default Faceplates
