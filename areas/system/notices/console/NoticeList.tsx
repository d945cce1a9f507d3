import '../../../../console/theme/notices.css'
import { NotificationOutlined } from '@ant-design/icons'
import { Badge, Button, Switch, Tabs } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { SearchText } from '../../../../console/kernel/list/SearchText.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { type NoticeTab, notice } from '../contract.ts'
import { NoticeItems } from './NoticeItems.tsx'
import { badgeText, tabs, unreadOf, useNotices } from './notices.ts'
import { PublishForm } from './PublishForm.tsx'
import { useNoticeList } from './useNoticeList.ts'

const List = ({ tab, search, unreadOnly }: { tab: NoticeTab; search: string; unreadOnly: boolean }) => {
  const t = useWords()
  const list = useNoticeList(tab, { search, unreadOnly })
  const unread = useNotices((s) => unreadOf(s.counts, tab))
  return (
    <section className="panel notice-list" aria-label={t(`notices.tab.${tab}`)}>
      <p className="notice-more">
        <span role="status">{!list.total ? '' : t('list.total', { count: list.total })}</span>
        {unread > 0 && (
          <Button type="link" size="small" onClick={() => void list.readAll()}>
            {t('notices.readAll')}
          </Button>
        )}
      </p>
      <NoticeItems list={list} empty={search || unreadOnly ? t('notices.noneFound') : t(`notices.empty.${tab}`)} />
    </section>
  )
}

/** All notices of the signed-in person. The URL holds the search. */
const NoticeList = () => {
  const t = useWords()
  const [params, setParams] = useSearchParams()
  const counts = useNotices((s) => s.counts)
  const mayPublish = useMay(`${notice.permission}.add`)
  const [publishing, setPublishing] = useState(false)
  const tab = tabs.find((name) => name === params.get('tab')) ?? 'announcements'
  const search = params.get('q') ?? ''
  const unreadOnly = params.get('unread') === '1'
  const set = (changes: Record<string, string>) =>
    setParams(
      (old) => {
        const all = { ...Object.fromEntries(old), ...changes }
        return Object.fromEntries(Object.entries(all).filter(([, v]) => v))
      },
      { replace: true },
    )
  return (
    <Page
      title={t('menu.m10421')}
      actions={
        mayPublish && (
          <Button type="primary" icon={<NotificationOutlined />} onClick={() => setPublishing(true)}>
            {t('notices.publish')}
          </Button>
        )
      }
    >
      <search className="search-bar">
        <SearchText
          maxLength={40}
          defaultValue={search}
          onChange={(e) => e.target.value === '' && set({ q: '' })}
          onPressEnter={(e) => set({ q: e.currentTarget.value.trim() })}
          onBlur={(e) => e.currentTarget.value.trim() !== search && set({ q: e.currentTarget.value.trim() })}
        />
        <span className="search-filter">
          <Switch
            size="small"
            checked={unreadOnly}
            onChange={(on) => set({ unread: on ? '1' : '' })}
            aria-label={t('notices.onlyUnread')}
          />{' '}
          {t('notices.onlyUnread')}
        </span>
      </search>
      <Tabs
        activeKey={tab}
        onChange={(key) => set({ tab: key })}
        items={tabs.map((key) => ({
          key,
          label: (
            <span>
              {t(`notices.tab.${key}`)} <Badge count={badgeText(unreadOf(counts, key))} size="small" />
            </span>
          ),
          children: <List tab={key} search={search} unreadOnly={unreadOnly} />,
        }))}
      />
      {publishing && <PublishForm close={() => setPublishing(false)} />}
    </Page>
  )
}
export default NoticeList
