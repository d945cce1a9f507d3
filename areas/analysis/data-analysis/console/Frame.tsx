import type { ReactNode } from 'react'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { Page } from '../../../../console/shell/Page.tsx'
import { Waiting } from '../../../../console/shell/Waiting.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { PointChoice } from '../../telemetry/console/PointChoice.tsx'
import { TrendRange } from '../../telemetry/console/TrendChoice.tsx'
import type { Explore } from './useExplore.ts'

type Props = {
  code: string
  explore: Explore
  /** Choices beside the range. */
  tools?: ReactNode
  actions?: ReactNode
  answer: { data: unknown; error: Error | null; refetch: () => unknown }
  /** What to do where no points are chosen. */
  none?: string
  children: ReactNode
}

/** A screen of the analysis: points, range and choices above, the answer below. */
export const Frame = ({ code, explore: { most, narrowed, chosen, view }, tools, actions, answer, none, children }: Props) => {
  const t = useWords()
  const failed = chosen.error ?? answer.error
  return (
    <Page title={t(`menu.${code}`)} actions={actions}>
      <TrendRange view={view} since={undefined} />
      <PointChoice points={chosen.points} choose={chosen.choose} most={most} narrowed={narrowed} />
      {tools && <div className="search-bar">{tools}</div>}
      {failed && !answer.data ? (
        <Failure fault={failed} retry={() => answer.refetch()} />
      ) : !chosen.ids.length && !chosen.isLoading ? (
        <EmptyList text={none ?? t('explore.none')} />
      ) : chosen.isLoading || !answer.data ? (
        chosen.points.length || chosen.isLoading ? (
          <Waiting />
        ) : (
          <EmptyList text={t('explore.unseen')} />
        )
      ) : (
        children
      )}
    </Page>
  )
}
