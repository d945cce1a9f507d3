import { Alert, Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall, useCommand } from '../../../../../console/kernel/api.ts'
import { useMay } from '../../../../../console/session/session.ts'
import { timeText } from '../../../../../console/words/formats.ts'
import { useWords } from '../../../../../console/words/words.ts'
import { monthCalls } from '../../closing.ts'
import { eventsAt } from '../eventsAt.ts'
import { monthSources } from '../useEnergy.ts'
import { Answered } from '../views/Answered.tsx'

const mostListed = 100

/** `month` as in 2026-03. */
const lastDayOf = (month: string) => {
  const [year, of] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, of, 0)).toISOString().slice(0, 10)
}

type Props = {
  project: number
  month: string
  /** Open months before it: they can no longer be closed after it. */
  earlier: readonly string[]
  close: () => void
}
/** Confirms closing a month: shows what is frozen and which meter events are unanswered. */
export const CloseMonth = ({ project, month, earlier, close }: Props) => {
  const t = useWords()
  const mayEvents = useMay('m10328')
  const [isSeen, see] = useState(false)
  const statement = useCall(monthCalls.statement, { query: { ProjectId: project, Month: month }, of: monthSources })
  const closing = useCommand(monthCalls.close, ['energyMonth'], { meta: { quiet: true } })
  const events = statement.data?.Events ?? []
  const submit = () =>
    closing.mutate(
      { body: { ProjectId: project, Month: month, Confirmed: events.length } },
      {
        onSuccess: close,
        onError: () => {
          see(false)
          void statement.refetch()
        },
      },
    )
  return (
    <Modal
      open
      title={t('energy.months.closeMonth', { month })}
      okText={t('energy.months.close')}
      cancelText={t('cancel')}
      confirmLoading={closing.isPending}
      okButtonProps={{ disabled: !statement.data || (events.length > 0 && !isSeen) }}
      onOk={submit}
      onCancel={close}
    >
      <div className="stack-tight">
        {closing.error && (
          <Alert type="error" showIcon title={Object.values(closing.error.details.Fields ?? {}).flat()[0] ?? closing.error.message} />
        )}
        <p>{t('energy.months.freezes')}</p>
        {earlier.length > 0 && (
          <Alert type="warning" showIcon title={t('energy.months.earlier', { months: [...earlier].sort().join(', ') })} />
        )}
        <Answered of={statement}>
          {({ Events, Circuits, Late }) => (
            <>
              <p className="soft">{t('energy.months.counts', { circuits: Circuits.length, late: Late.length })}</p>
              {Events.length > 0 && (
                <section className="stack-tight" aria-label={t('energy.months.events')}>
                  <h3>
                    {mayEvents ? (
                      <Link to={eventsAt(project, `${month}-01`, lastDayOf(month))}>{t('energy.months.events')}</Link>
                    ) : (
                      t('energy.months.events')
                    )}
                  </h3>
                  <ul className="months-events">
                    {Events.slice(0, mostListed).map(({ EnergyInfoId, EnergyName, Time }) => (
                      <li key={`${EnergyInfoId} ${Time}`}>
                        {EnergyName} <span className="soft figures">{timeText(Time).slice(0, 16)}</span>
                      </li>
                    ))}
                  </ul>
                  {Events.length > mostListed && <p className="soft">{t('chart.more', { count: Events.length - mostListed })}</p>}
                  <Checkbox checked={isSeen} onChange={({ target }) => see(target.checked)}>
                    {t('energy.months.confirm', { count: Events.length })}
                  </Checkbox>
                </section>
              )}
            </>
          )}
        </Answered>
      </div>
    </Modal>
  )
}
