import { Button, Table } from 'antd'
import { useState } from 'react'
import { useCall } from '../../../../../console/kernel/api.ts'
import { useMay } from '../../../../../console/session/session.ts'
import { State } from '../../../../../console/theme/State.tsx'
import { usePhone } from '../../../../../console/theme/useWidth.ts'
import { timeText } from '../../../../../console/words/formats.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { Answer } from '../../../../../contract/call.ts'
import { closesMonths, monthCalls } from '../../closing.ts'
import { type Energy, monthSources } from '../useEnergy.ts'
import { Answered } from '../views/Answered.tsx'
import { CloseMonth } from './CloseMonth.tsx'
import { Statement } from './Statement.tsx'

type Row = Answer<typeof monthCalls.list>['Items'][number]

/** Months of a project: which are closed and by whom, and those that wait for it. */
export const Months = ({ energy: { projectId, address, put } }: { energy: Energy }) => {
  const t = useWords()
  const phone = usePhone()
  const mayClose = useMay(closesMonths)
  const [closing, close] = useState<Row>()
  const answer = useCall(monthCalls.list, { query: { ProjectId: projectId ?? 0 }, of: monthSources, enabled: projectId !== undefined })
  const stateOf = ({ IsClosed, IsOver, ClosedTime, ClosedBy }: Row) =>
    IsClosed ? (
      <span>
        {t('energy.months.closed')}{' '}
        <span className="soft">{[timeText(ClosedTime).slice(0, 16), ClosedBy].filter(Boolean).join(' · ')}</span>
      </span>
    ) : IsOver ? (
      <State is="notice">{t('energy.months.open')}</State>
    ) : (
      <span className="soft">{t('energy.months.running')}</span>
    )
  const opened = address.get('month')
  return (
    <Answered of={answer}>
      {({ Items }) => (
        <>
          <Table<Row>
            size="small"
            rowKey="Month"
            dataSource={Items}
            pagination={false}
            columns={[
              {
                ...{ title: t('period.month'), width: 120 },
                render: (_, { Month }) => (
                  <Button type="link" className="months-month figures" onClick={() => put({ month: Month })}>
                    {Month}
                  </Button>
                ),
              },
              { title: t('energy.months.state'), render: (_, row) => stateOf(row) },
              {
                ...{ title: '', width: phone ? 96 : 180, align: 'right' },
                render: (_, row) =>
                  mayClose &&
                  row.IsOver === 1 &&
                  row.IsClosed === 0 && (
                    <Button size="small" onClick={() => close(row)} aria-label={t('energy.months.closeMonth', { month: row.Month })}>
                      {t('energy.months.close')}
                    </Button>
                  ),
              },
            ]}
          />
          <p className="faint">{t('energy.months.help')}</p>
          {opened && projectId !== undefined && <Statement project={projectId} month={opened} close={() => put({ month: undefined })} />}
          {closing && projectId !== undefined && (
            <CloseMonth
              project={projectId}
              month={closing.Month}
              earlier={Items.flatMap(({ Month, IsClosed }) => (!IsClosed && Month < closing.Month ? [Month] : []))}
              close={() => close(undefined)}
            />
          )}
        </>
      )}
    </Answered>
  )
}
