import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { Button, Segmented, Skeleton, Timeline } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { type Fault, invoke } from '../../../../console/session/request.ts'
import { Level } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { eventCalls, gatewayEvent, type TimelineKind, timelineKinds } from '../../../alarms/events/contract.ts'
import { configVersion } from '../../config-versions/contract.ts'
import { command } from '../contract.ts'
import { Result } from './commandLooks.tsx'

type Page = Answer<typeof eventCalls.timeline>
type Entry = Page['Items'][number]
type Of = { GatewayId: number } | { ProjectId: number }

const useTimeline = (of: Of, kind: TimelineKind | 0) =>
  useInfiniteQuery<Page, Fault, InfiniteData<Page>, unknown[], string | undefined>({
    queryKey: [[gatewayEvent.name, configVersion.name, command.name], 'timeline', of, kind],
    queryFn: ({ pageParam }) =>
      invoke(eventCalls.timeline, { query: { ...of, ...(kind ? { Kind: kind } : {}), ...(pageParam ? { Before: pageParam } : {}) } }),
    initialPageParam: undefined,
    getNextPageParam: ({ Next }) => Next ?? undefined,
  })

const Head = ({ entry: { Kind, Level: level, Subject, Code } }: { entry: Entry }) => {
  const t = useWords()
  if (Kind === 1) return <Level is={level}>{t(`gatewayEvent.Type.${Subject}`)}</Level>
  if (Kind === 2) return t('history.version', { version: Subject })
  return (
    <>
      {t(`command.CmdType.${Subject}`)} · <Result code={Code} />
    </>
  )
}

/** Events, accepted configurations and commands of a gateway, or of all gateways of a project, newest first. */
export const History = ({ of }: { of: Of }) => {
  const t = useWords()
  const [kind, setKind] = useState<TimelineKind | 0>(0)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useTimeline(of, kind)
  const entries = data?.pages.flatMap(({ Items }) => Items)
  return (
    <div className="stack">
      <Segmented<TimelineKind | 0>
        value={kind}
        onChange={setKind}
        aria-label={t('history.kind')}
        style={{ justifySelf: 'start', maxWidth: '100%', overflowX: 'auto' }}
        options={([0, ...timelineKinds] as const).map((value) => ({ value, label: t(`history.kind.${value}`) }))}
      />
      {error && !data && <Failure fault={error} retry={() => refetch()} />}
      {!data && !error && <Skeleton active />}
      {entries?.length === 0 && <EmptyList text={t('history.none')} />}
      <Timeline
        items={(entries ?? []).map((entry) => ({
          key: `${entry.Kind}.${entry.Id}`,
          content: (
            <>
              <Head entry={entry} />
              {entry.Kind < 3 && entry.Text !== 'online' && <div>{entry.Text}</div>}
              <div className="soft">
                <span className="figures">{entry.Time}</span>
                {entry.UserName && ` · ${entry.UserName}`}
                {'ProjectId' in of && (
                  <>
                    {' · '}
                    <Link to={`/projectManagement/gatewayPreView?Id=${entry.GatewayId}`}>{entry.GatewayName}</Link>
                  </>
                )}
              </div>
            </>
          ),
        }))}
      />
      {hasNextPage && (
        <Button onClick={() => fetchNextPage()} loading={isFetchingNextPage}>
          {t('history.older')}
        </Button>
      )}
    </div>
  )
}
