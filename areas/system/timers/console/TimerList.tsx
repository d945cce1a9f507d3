import { HistoryOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { describeCron } from '../../../../console/cron/describe.ts'
import { CronZone } from '../../../../console/cron/zone.ts'
import { useRow } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useUser } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { language, useWords, type Words } from '../../../../console/words/words.ts'
import { enterprise } from '../../../people/enterprises/contract.ts'
import { standardTimers, type TimerMethod, timer, timerMethods } from '../contract.ts'
import { Outcome } from './Outcome.tsx'
import { TimerHistory } from './TimerHistory.tsx'

const keepOf = (method: unknown) => {
  const known = timerMethods[method as TimerMethod]
  return known && 'keep' in known ? known.keep : undefined
}

/** A standard task is called in the reader's language until somebody calls it something else. */
const standardName = ({ Method, TimerName }: { Method: unknown; TimerName: string }, t: Words) => {
  const known = Object.entries(standardTimers).find(([method, standard]) => method === Method && standard.TimerName === TimerName)
  return known ? t(`timer.standard.${known[0]}`) : TimerName
}

/** Tasks of the platform: what, when, and how it went. */
const TimerList = () => {
  const t = useWords()
  const { data: home } = useRow(enterprise, useUser()?.EnterpriseId)
  const [shown, setShown] = useState<{ Id: number; TimerName: string }>()
  return (
    <Page title={t('menu.m10451')}>
      <CronZone value={home?.TimeZoneKey}>
        <ResourceList
          of={timer}
          columns={['TimerName', 'Method', 'Cron', 'Status', 'NextTime', 'LastResult', 'LastTime', 'Keep']}
          filters={['Status', 'Method']}
          titleOf={(row) => standardName(row, t)}
          cells={{
            TimerName: (row) => standardName(row, t),
            Cron: (row) => <span title={row.Cron}>{describeCron(row.Cron, language())}</span>,
            Keep: (row) => {
              const keep = keepOf(row.Method)
              return keep ? t(`timer.keep.${keep.counts}`, { count: row.Keep ?? keep.standard }) : ''
            },
            LastResult: (row) => <Outcome of="timer.LastResult" result={row.LastResult} />,
          }}
          form={{ refine: ({ Method }) => ({ hidden: keepOf(Method) ? [] : ['Keep'] }) }}
          actions={(row) => [
            {
              key: 'history',
              label: t('timer.history'),
              icon: <HistoryOutlined />,
              run: () => setShown({ Id: row.Id, TimerName: standardName(row, t) }),
            },
          ]}
        />
      </CronZone>
      {shown && <TimerHistory timer={shown} close={() => setShown(undefined)} />}
    </Page>
  )
}
export default TimerList
