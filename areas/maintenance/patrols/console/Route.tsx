import { Alert, Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { useWrite } from '../../../../console/kernel/api.ts'
import { clientKey } from '../../../../console/kernel/clientKey.ts'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { useKept } from '../../../../console/offline/kept.ts'
import { sendOrQueue, useQueue } from '../../../../console/offline/queue.ts'
import { invoke } from '../../../../console/session/request.ts'
import { useMay } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { To } from '../../../../console/shell/To.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { offlineCalls } from '../../offline/contract.ts'
import { patrolCalls } from '../contract.ts'
import { RouteMap } from './RouteMap.tsx'
import './patrol.css'

const QrReader = lazyScreen(() => import('./QrReader.tsx'), null)
type Order = { Id: number; Status: number; AllowQr: number; WrongOrder?: number; HurriedPoints?: unknown }
type Visit = { CardNo: string; Way: 2 | 5; Longitude?: number; Latitude?: number }
type Reading = { serialNumber: string }
/** Web NFC, if the browser supports it: Chrome on Android, over https. */
type Reader = { scan(given: { signal: AbortSignal }): Promise<void>; onreading: ((event: Reading) => void) | null }
const readers = () => (globalThis as { NDEFReader?: new () => Reader }).NDEFReader

/** Position of the phone, or undefined. A missing position never delays a reading. */
const here = () =>
  new Promise<{ Longitude?: number; Latitude?: number }>((resolve) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ Longitude: coords.longitude, Latitude: coords.latitude }),
      () => resolve({}),
      { enableHighAccuracy: true, timeout: 8000, maximumAge: 30_000 },
    ),
  )

/** Reads tags with the phone, or accepts their numbers if the plan allows it. */
const Scan = ({ order }: { order: Order }) => {
  const t = useWords()
  const [no, setNo] = useState('')
  const [reading, setReading] = useState<AbortController>()
  const [withPlace, setWithPlace] = useState(false)
  const take = ({ key, ...body }: Visit & { key: string }) =>
    sendOrQueue(
      {
        ...{ key, path: offlineCalls.lateStep.path, title: body.CardNo, step: 'patrol.here', body },
        late: { OrderId: order.Id, Step: 'visit' },
      },
      (sent) => invoke(patrolCalls.visit, { body: { OrderId: order.Id, DeviceTime: Date.now(), ...(sent as typeof body) } }),
    )
  const visit = useWrite(['proRfidHistory', 'mtnCheckOrder'], take, { networkMode: 'always', meta: { quiet: true } })
  const send = async (CardNo: string, Way: 2 | 5) => {
    const place = withPlace ? await here() : {}
    visit.mutate({ key: clientKey(), CardNo, Way, ...place })
  }
  const Nfc = readers()
  const scan = async () => {
    const abort = new AbortController()
    const reader = new Nfc!()
    reader.onreading = ({ serialNumber }) => void send(serialNumber, 2)
    await reader.scan({ signal: abort.signal }).then(
      () => setReading(abort),
      () => setReading(undefined),
    )
  }
  const said = visit.error ? (Object.values(visit.error.details.Fields ?? {}).flat()[0] ?? visit.error.message) : undefined
  return (
    <div className="patrol-scan">
      {Nfc && (
        <Button size="large" block disabled={!!reading} onClick={() => void scan()}>
          {t(reading ? 'patrol.hold' : 'patrol.scan')}
        </Button>
      )}
      {order.AllowQr === 1 && <QrReader found={(code) => void send(code.trim().slice(0, 30), 5)} />}
      {order.AllowQr === 1 && (
        <Input.Search
          aria-label={t('patrol.number')}
          placeholder={t('patrol.number')}
          value={no}
          maxLength={30}
          enterButton={t('patrol.here')}
          loading={visit.isPending}
          onChange={({ target }) => setNo(target.value)}
          onSearch={(value) => value.trim() && void send(value.trim(), 5)}
        />
      )}
      {globalThis.isSecureContext === false && <p className="soft">{t('patrol.needsHttps')}</p>}
      {'geolocation' in navigator && globalThis.isSecureContext && (
        <Checkbox checked={withPlace} onChange={({ target }) => setWithPlace(target.checked)}>
          {t('patrol.withPlace')}
        </Checkbox>
      )}
      {!Nfc && order.AllowQr !== 1 && <p className="soft">{t('patrol.noNfc')}</p>}
      {said && <Alert type="error" showIcon title={said} />}
      {visit.data && !visit.error && (
        <Alert
          type={visit.data.Result === 0 || visit.data.Result === 6 ? 'success' : 'warning'}
          showIcon
          title={[
            `${visit.data.CardName || no}: ${t(`proRfidHistory.Result.${visit.data.Result}`)}`,
            visit.data.IsFar ? t('patrol.farUnknown') : '',
            visit.data.IsClockOff ? t('patrol.clockOff') : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        />
      )}
    </div>
  )
}

type Point = Answer<typeof patrolCalls.route>['Items'][number]
/** Window of a point, and anomalies of its reading. */
const Stopped = ({
  point,
  isHurried,
}: {
  point: Omit<Point, 'CardName' | 'PositionName' | 'ReadTime' | 'EquipmentId' | 'EquipmentName'>
  isHurried: boolean
}) => {
  const t = useWords()
  const { From, To, Minutes, IsFar, IsClockOff, DistanceM } = point
  const window = [
    (From || To) && t('patrol.window', { from: From ?? '00:00', to: To ?? '24:00' }),
    Minutes && t('patrol.stay', { minutes: Minutes }),
  ].filter(Boolean)
  const marks = [
    IsFar && (DistanceM === null ? t('patrol.farUnknown') : t('patrol.far', { metres: DistanceM })),
    IsClockOff && t('patrol.clockOff'),
    isHurried && t('patrol.hurried'),
  ].filter(Boolean)
  return (
    <>
      {window.length > 0 && <span className="soft">{window.join(', ')}</span>}
      {marks.length > 0 && <State is="warning">{marks.join(', ')}</State>}
    </>
  )
}

/** The points of a round with their reading times. */
export const Route = ({ order }: { order: Order }) => {
  const t = useWords()
  const works = useMay('m10601.work')
  const { data } = useKept(patrolCalls.route, { query: { Id: order.Id }, of: ['proRfidHistory', 'mtnCheckOrder'] })
  const entries = useQueue()
  if (!data) return null
  if (!data.Items.length) return <EmptyList text={t('patrol.noRoute')} />
  const isOver = order.Status > 1
  const visits = entries.filter(({ state, body }) => state === 'waiting' && body.OrderId === order.Id && body.Step === 'visit').length
  const hurried = new Set((order.HurriedPoints ?? []) as number[])
  return (
    <section aria-label={t('patrol.route')}>
      {order.WrongOrder === 1 && <Alert type="warning" showIcon title={t('patrol.wrongOrder')} />}
      <p>{t('patrol.count', { done: data.Items.filter(({ ReadTime }) => ReadTime).length, total: data.Items.length })}</p>
      {visits > 0 && <p>{t('offline.waiting', { count: visits })}</p>}
      <ol className="patrol-route">
        {data.Items.map(({ RfidId, CardName, PositionName, ReadTime, EquipmentId, EquipmentName, ...more }) => {
          const point = { RfidId, ...more }
          return (
            <li key={RfidId}>
              <State is={ReadTime ? 'normal' : isOver ? 'alarm' : 'offline'}>
                {ReadTime ?? t(isOver ? 'patrol.missed' : 'patrol.waits')}
              </State>
              <strong>{CardName}</strong>
              <span className="soft">{PositionName}</span>
              {EquipmentId && <To to={`/maintenanceCenter/machine?Id=${EquipmentId}`}>{EquipmentName}</To>}
              <Stopped point={point} isHurried={hurried.has(point.RfidId)} />
            </li>
          )
        })}
      </ol>
      <RouteMap of={data.Items} isOver={isOver} />
      {works && order.Status === 1 && <Scan order={order} />}
    </section>
  )
}
export const RouteTab = ({ row }: { row: unknown }) => <Route order={row as Order} />
