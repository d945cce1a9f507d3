import { Input, InputNumber, Modal } from 'antd'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useLatest } from '../../../../console/live/points.ts'
import { valueText } from '../../../../console/live/valueText.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer, Body } from '../../../../contract/call.ts'
import type { Action } from '../../../../contract/picture/scene.ts'
import { flowchartCalls, type Opened } from '../contract.ts'

type Ticket = Answer<typeof flowchartCalls.confirm> & { at: number }
/**
 * A ticket for one write, with the server's time and the page's monotonic time at its arrival. `renew` fetches another one after
 * it was used.
 */
const useTicket = (dialog: Body<typeof flowchartCalls.confirm>) => {
  const { mutate, error } = useCommand(flowchartCalls.confirm, [], { meta: { quiet: true } })
  const [ticket, setTicket] = useState<Ticket>()
  const body = useRef(dialog)
  const renew = useCallback(() => {
    setTicket(undefined)
    mutate({ body: body.current }, { onSuccess: (given) => setTicket({ ...given, at: performance.now() }) })
  }, [mutate])
  useEffect(renew, [renew])
  return { ticket, error, renew }
}

export type Acting = { item: string; action: Action }
/** Origin of a write: the open picture, and its faceplate. */
export type Origin = Pick<Body<typeof flowchartCalls.act>, 'Id' | 'Version' | 'Parameters' | 'Face'>
type Props = Acting & { opened: Opened; origin: Origin; inside: readonly { Id: number; Version: number }[]; close: () => void }
/** Confirms a write: point, old and new value, device and, if the author requires it, a reason. Then shows the device's answer. */
const ActDialog = ({ opened, origin, inside, item, action, close }: Props) => {
  const t = useWords()
  const act = useCommand(flowchartCalls.act, ['command'], { meta: { quiet: true } })
  const [given, setGiven] = useState<number | null>(action.value ?? null)
  const [reason, setReason] = useState('')
  const key = action.of ?? ''
  const id = key.startsWith('#') ? Number(key.slice(1)) : opened.Named[key]
  const point = opened.Points.find(({ ParaId }) => ParaId === id)
  const latest = useLatest(id) ?? opened.Values.find(({ ParaId }) => ParaId === id)
  const before = latest?.Value ?? null
  const next =
    action.do === 'toggle'
      ? before === null
        ? null
        : before === 0
          ? 1
          : 0
      : action.do === 'step'
        ? before === null
          ? null
          : before + (action.value ?? 1)
        : action.do === 'pulse'
          ? (action.value ?? 1)
          : given
  const show = (value: number | null) => (point ? `${valueText(value, point, t)} ${point.ParaUnitName}` : '')
  const { Parameters, ...from } = origin
  // An item offers only its first action.
  const dialog = { ...from, Item: item, Action: 0 }
  const { ticket, error: noTicket, renew } = useTicket(dialog)
  const send = () => {
    if (!ticket) return
    act.mutate(
      {
        body: {
          ...{ ...dialog, Ticket: ticket.Ticket, Confirmed: Math.round(ticket.Time + performance.now() - ticket.at) },
          ...(action.do === 'set' && next !== null ? { Value: next } : {}),
          ...(reason ? { Reason: reason } : {}),
          ...(Parameters?.length ? { Parameters } : {}),
          ...(inside.length ? { Inside: inside.map(({ Id, Version }) => ({ Id, Version })) } : {}),
        },
      },
      { onSettled: (answer) => answer?.Code !== 0 && renew() },
    )
  }
  const done = act.data?.Code === 0
  const asks = action.do === 'set' && action.value === undefined
  return (
    <Modal
      open
      title={t('pictures.actTitle', { name: point?.ParaName ?? '' })}
      okText={done ? t('close') : t('pictures.actDo')}
      cancelText={t('cancel')}
      confirmLoading={act.isPending}
      okButtonProps={{ disabled: (!ticket && !done) || !point || next === null || (action.reason === true && !reason.trim()) }}
      onOk={done ? close : send}
      onCancel={close}
    >
      <div className="stack" aria-live="polite">
        <dl className="facts">
          <div>
            <dt>{t('device')}</dt>
            <dd>{point?.DeviceName ?? t('pictures.withheld')}</dd>
          </div>
          <div>
            <dt>{t('pictures.actNow')}</dt>
            <dd>{show(before)}</dd>
          </div>
          <div>
            <dt>{t('pictures.actThen')}</dt>
            <dd>
              {asks ? (
                <InputNumber
                  autoFocus
                  aria-label={t('pictures.actThen')}
                  {...(action.low === undefined ? {} : { min: action.low })}
                  {...(action.high === undefined ? {} : { max: action.high })}
                  value={given}
                  onChange={setGiven}
                />
              ) : (
                show(next)
              )}
            </dd>
          </div>
          {action.do === 'pulse' && (
            <div>
              <dt>{t('pictures.actBack', { seconds: (action.ms ?? 500) / 1000 })}</dt>
              <dd>{show(action.rest ?? 0)}</dd>
            </div>
          )}
        </dl>
        {action.reason && (
          <Input
            aria-label={t('pictures.reason')}
            placeholder={t('pictures.reason')}
            maxLength={200}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
        {done && <p role="status">{t('pictures.actDone')}</p>}
        {act.data && !done && <p role="alert">{act.data.Msg}</p>}
        {(act.error ?? noTicket) && <Failure fault={(act.error ?? noTicket)!} />}
      </div>
    </Modal>
  )
}

export default ActDialog
