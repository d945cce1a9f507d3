import { DoubleLeftOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Select } from 'antd'
import type { Page } from '../../../contract/call.ts'
import { useWords } from '../../words/words.ts'
import { type ListState, pageSizes, type SetState, standardSize } from './listState.ts'

type Props = { page: Pick<Page<unknown>, 'NextCursor' | 'PrevCursor' | 'TotalCount'>; state: ListState; set: SetState }

/** Pager of a list that is too long to count: previous and next by cursor, without page numbers. */
export const FarPager = ({ page: { NextCursor, PrevCursor, TotalCount }, state, set }: Props) => {
  const t = useWords()
  const go = (page: number, after: string | null | undefined) => set({ page: page > 1 ? page : null, after })
  return (
    <nav className="far-pager" aria-label={t('list.pages')}>
      <span className="soft">{t('list.totalMore', { count: TotalCount })}</span>
      <Button icon={<DoubleLeftOutlined />} aria-label={t('list.first')} disabled={state.page === 1} onClick={() => go(1, null)} />
      <Button
        icon={<LeftOutlined />}
        aria-label={t('list.previous')}
        disabled={state.page === 1 || !PrevCursor}
        onClick={() => (state.page === 2 ? go(1, null) : go(state.page - 1, PrevCursor))}
      />
      <span aria-current="page">{t('list.page', { page: state.page })}</span>
      <Button icon={<RightOutlined />} aria-label={t('list.next')} disabled={!NextCursor} onClick={() => go(state.page + 1, NextCursor)} />
      <Select
        value={state.size}
        aria-label={t('list.pageSize')}
        options={pageSizes.map((value) => ({ value, label: t('list.perPage', { count: value }) }))}
        onChange={(size) => set({ size: size === standardSize ? null : size })}
      />
    </nav>
  )
}
