import { PauseOutlined, PlayCircleOutlined } from '@ant-design/icons'
import { Button, Input, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { useCommand, useWrite } from '../../../../console/kernel/api.ts'
import { clientKey } from '../../../../console/kernel/clientKey.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useKept } from '../../../../console/offline/kept.ts'
import { Mark } from '../../../../console/offline/QueueBar.tsx'
import { useQueue, waitingOf } from '../../../../console/offline/queue.ts'
import { useMay } from '../../../../console/session/session.ts'
import { State } from '../../../../console/theme/State.tsx'
import { numberText } from '../../../../console/words/formats.ts'
import { Moment } from '../../../../console/words/moments.tsx'
import { language, useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { workCalls } from '../../orders/work.ts'
import { takePartOrQueue } from './queuedParts.ts'
import './work.css'

type Work = Answer<typeof workCalls.work>
type Part = Work['Parts'][number]
const changes = ['mtnMaintenanceOrder', 'mtnUpKeepOrder', 'mtnCheckOrder', 'mtnComponent', 'mtnComponentStock', 'mtnComponentRecord']
/** Pieces are whole, other units may have decimals. */
const quantityText = (qty: number) => numberText(qty, 0, language(), 3)

type Order = { Id: number; Title: string }
type MovesProps = { order: Order; part: Part; isOffline: boolean; done: () => void }
/** Quantity and place of a part to take, return or reserve. Taking also works offline. */
const Moves = ({ order, part, isOffline, done }: MovesProps) => {
  const OrderId = order.Id
  const t = useWords()
  const [qty, setQty] = useState<number | null>(part.Reserved || 1)
  const [place, setPlace] = useState(part.Places[0]?.PlaceId)
  // A form makes one movement, even if it is sent repeatedly.
  const [ClientKey] = useState(clientKey)
  const quiet = { meta: { quiet: true } }
  const taking = (now: { PlaceId: number; Qty: number }) =>
    takePartOrQueue(order, { ComponentId: part.ComponentId, ComponentName: part.ComponentName, ...now }, ClientKey)
  // Without a connection the movement is queued, not paused.
  const take = useWrite(changes, taking, { networkMode: 'always', ...quiet })
  const back = useCommand(workCalls.giveBack, changes, quiet)
  const reserve = useCommand(workCalls.reserve, changes, quiet)
  const failed = take.error ?? back.error ?? reserve.error
  const ended = { onSuccess: done }
  const body = { OrderId, ComponentId: part.ComponentId, PlaceId: place ?? 0, Qty: qty ?? 0, ClientKey }
  return (
    <div className="work-line">
      <InputNumber min={0.001} max={1_000_000} value={qty} suffix={part.Unit} aria-label={t('work.qty')} onChange={setQty} />
      <Select
        className="work-place"
        value={place ?? null}
        aria-label={t('work.place')}
        options={part.Places.map(({ PlaceId, PlaceName, Qty }) => ({ value: PlaceId, label: `${PlaceName}: ${quantityText(Qty)}` }))}
        onChange={(id) => setPlace(id ?? undefined)}
      />
      <Button
        type="primary"
        disabled={!qty || !place}
        loading={take.isPending}
        onClick={() => take.mutate({ PlaceId: place ?? 0, Qty: qty ?? 0 }, ended)}
      >
        {t('work.take')}
      </Button>
      {!isOffline && (
        <Button
          disabled={!qty}
          loading={reserve.isPending}
          onClick={() => reserve.mutate({ body: { OrderId, ComponentId: part.ComponentId, Qty: qty ?? 0 } }, ended)}
        >
          {t('work.reserve')}
        </Button>
      )}
      {!isOffline && part.Taken > 0 && (
        <Button disabled={!qty || !place} loading={back.isPending} onClick={() => back.mutate({ body }, ended)}>
          {t('work.giveBack')}
        </Button>
      )}
      {failed && <Failure fault={failed} />}
    </div>
  )
}

type RowProps = Omit<MovesProps, 'done'> & { works: boolean }
const PartRow = ({ order, part, works, isOffline }: RowProps) => {
  const t = useWords()
  const waits = waitingOf(useQueue(), order.Id).some(({ body }) => body.Step === 'part' && body.ComponentId === part.ComponentId)
  const [open, setOpen] = useState(false)
  const free = part.StockQty - part.ReservedByOthers
  const amount = (qty: number) => `${quantityText(qty)} ${part.Unit}`
  return (
    <li>
      <div className="work-line">
        <strong>{part.ComponentName}</strong> <span className="soft">{part.ComponentNo}</span>
        {part.OfModel === 1 && <State is="notice">{t('work.ofModel')}</State>}
        {waits && <Mark is="waiting" />}
        {part.Taken > 0 && <span>{t('work.taken', { qty: amount(part.Taken) })}</span>}
        {part.Reserved > 0 && <span>{t('work.reserved', { qty: amount(part.Reserved) })}</span>}
        <State is={free > 0 ? 'normal' : 'warning'}>{t('work.free', { qty: amount(Math.max(0, free)) })}</State>
        {works && (
          <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t('work.move')}
          </Button>
        )}
      </div>
      {open && <Moves {...{ order, part, isOffline }} done={() => setOpen(false)} />}
    </li>
  )
}

const Labor = ({ of: { Labor: entries, Running }, OrderId, works }: { of: Work; OrderId: number; works: boolean }) => {
  const t = useWords()
  const [start, stop] = [useCommand(workCalls.startLabor, changes), useCommand(workCalls.stopLabor, changes)]
  const [run, icon, word] = Running
    ? ([stop, <PauseOutlined key="stop" />, 'work.stop'] as const)
    : ([start, <PlayCircleOutlined key="start" />, 'work.start'] as const)
  return (
    <>
      <h3>{t('work.labor')}</h3>
      {works && (
        <Button icon={icon} loading={run.isPending} onClick={() => run.mutate({ body: { OrderId } })}>
          {t(word)}
        </Button>
      )}
      <ul className="work-list">
        {entries.map((entry) => (
          <li key={`${entry.UserName} ${entry.StartTime}`}>
            {entry.UserName || '—'} ·{' '}
            <span className="soft">
              <Moment time={entry.StartTime} /> – {entry.EndTime ? <Moment time={entry.EndTime} /> : t('work.running')}
            </span>{' '}
            · {numberText(entry.Hours)} h
          </li>
        ))}
      </ul>
    </>
  )
}

/** Parts and labor of an order. Parts of the machine's model come first. */
const OrderWork = ({ order, isOpen }: { order: Order; isOpen: boolean }) => {
  const OrderId = order.Id
  const t = useWords()
  const [search, setSearch] = useState('')
  const works = useMay('m10601.work') && isOpen
  const query = { OrderId, ...(search ? { Search: search } : {}) }
  const { data, keptAt } = useKept(workCalls.work, { query, of: changes })
  const isOffline = keptAt !== null
  if (!data) return null
  return (
    <section className="panel order-work" aria-label={t('work.title')}>
      <h2>{t('work.title')}</h2>
      {works && !isOffline && (
        <Input.Search allowClear maxLength={60} placeholder={t('work.search')} aria-label={t('work.search')} onSearch={setSearch} />
      )}
      {works && data.Parts.length === 0 && <p className="soft">{t('work.noParts')}</p>}
      {!works && !data.Parts.length && !data.Labor.length && <p className="soft">{t('work.noneTaken')}</p>}
      <ul className="work-list">
        {data.Parts.map((part) => (
          <PartRow key={part.ComponentId} {...{ order, part, works, isOffline }} />
        ))}
      </ul>
      {(works || data.Labor.length > 0) && <Labor of={data} {...{ OrderId, works: works && !isOffline }} />}
    </section>
  )
}
export default OrderWork
