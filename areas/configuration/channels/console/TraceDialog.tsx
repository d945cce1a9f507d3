import './trace.css'
import { Alert, Button, Modal, Space } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { invoke } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { traceFrames } from '../../../../contract/gateway-protocol.ts'
import { protocolCalls } from '../contract.ts'

export type Channel = { NetProtocolId: number } | { SerialProtocolId: number }
type Frame = Answer<typeof protocolCalls.frames>['Frames'][number]
const everyMs = 1000
const seconds = 300
const quiet = { meta: { quiet: true } }

const timeOf = (T: number) => {
  const at = new Date(T)
  const [h, m, s] = [at.getHours(), at.getMinutes(), at.getSeconds()].map((n) => String(n).padStart(2, '0'))
  return `${h}:${m}:${s}.${String(at.getMilliseconds()).padStart(3, '0')}`
}
const inPairs = (hex: string) => hex.replace(/../g, '$& ').trim().toUpperCase()

/** The frames of a channel during its trace, newest last. */
const useFrames = (channel: Channel) => {
  const [shown, show] = useState<{ frames: Frame[]; left: number; missed: number }>({ frames: [], left: 0, missed: 0 })
  const after = useRef(0)
  const key = JSON.stringify(channel)
  useEffect(() => {
    const query = JSON.parse(key) as Channel
    let isOpen = true
    const ask = async () => {
      const answer = await invoke(protocolCalls.frames, { query: { ...query, After: after.current } }).catch(() => undefined)
      if (!isOpen || !answer) return
      after.current = answer.Frames.at(-1)?.N ?? after.current
      show(({ frames }) => ({
        frames: [...frames, ...answer.Frames].slice(-traceFrames),
        left: answer.Left,
        missed: answer.Missed,
      }))
    }
    void ask()
    const timer = setInterval(() => void ask(), everyMs)
    return () => {
      isOpen = false
      clearInterval(timer)
    }
  }, [key])
  return { ...shown, clear: () => show((before) => ({ ...before, frames: [] })) }
}

/** Traces a channel: requests of the gateway, answers, and their meaning. */
const TraceDialog = ({ channel, name, close }: { channel: Channel; name: string; close: () => void }) => {
  const t = useWords()
  const { frames, left, missed, clear } = useFrames(channel)
  const trace = useCommand(protocolCalls.trace, ['command'], quiet)
  const bottom = useRef<HTMLLIElement>(null)
  const last = frames.at(-1)?.N
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not return.
    bottom.current?.scrollIntoView({ block: 'nearest' })
  }, [last])
  const ask = (Seconds: number) => trace.mutate({ body: { ...channel, Seconds } })
  const problem = trace.error?.message ?? (trace.data && trace.data.Code !== 0 ? trace.data.Msg : undefined)
  const isOn = left > 0
  return (
    <Modal
      open
      width={900}
      title={t('trace.title', { name })}
      onCancel={close}
      footer={
        <Space wrap>
          {frames.length > 0 && <Button onClick={clear}>{t('trace.clear')}</Button>}
          <Button onClick={close}>{t('close')}</Button>
          <Button type={isOn ? 'default' : 'primary'} loading={trace.isPending} onClick={() => ask(isOn ? 0 : seconds)}>
            {t(isOn ? 'trace.stop' : 'trace.start')}
          </Button>
        </Space>
      }
    >
      <div className="stack">
        <p className="soft" role="status">
          {isOn ? t('trace.on', { left }) : t('trace.text')}
          {missed > 0 && ` ${t('trace.missed', { count: missed })}`}
        </p>
        {problem && <Alert type="error" showIcon title={problem} />}
        {frames.length > 0 ? (
          <ol className="trace" aria-label={t('trace.frames')}>
            {frames.map(({ N, T, Sent, Hex, Meaning }) => (
              <li key={N} ref={N === last ? bottom : null} className={Sent ? 'trace-sent' : ''}>
                <span className="trace-head">
                  <time>{timeOf(T)}</time> <b>{t(Sent ? 'trace.sent' : 'trace.received')}</b> {Meaning}
                </span>
                <code>{inPairs(Hex)}</code>
              </li>
            ))}
          </ol>
        ) : (
          isOn && <p className="soft">{t('trace.waiting')}</p>
        )}
      </div>
    </Modal>
  )
}
export default TraceDialog
