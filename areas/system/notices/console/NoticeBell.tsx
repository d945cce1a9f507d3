import '../../../../console/theme/notices.css'
import { BellOutlined } from '@ant-design/icons'
import { Badge, Button, Drawer, Tabs, Tooltip } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../../../console/session/session.ts'
import { pages } from '../../../../console/shell/menus.tsx'
import { Shape } from '../../../../console/theme/State.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { NoticeTab } from '../contract.ts'
import { NoticeItems } from './NoticeItems.tsx'
import { badgeText, moreOf, openingTab, tabs, unread, unreadOf, useNotices } from './notices.ts'
import { useNoticeList } from './useNoticeList.ts'
import { useNoticePoll } from './useNoticePoll.ts'

const TabList = ({ tab, close }: { tab: NoticeTab; close: () => void }) => {
  const t = useWords()
  const list = useNoticeList(tab)
  const menus = useSession((s) => s.session?.menus ?? [])
  const has = (path: string) => pages(menus).some((m) => m.RoutingAddress.toLowerCase() === path.toLowerCase())
  return (
    <>
      <NoticeItems list={list} empty={t(`notices.empty.${tab}`)} followed={close} />
      <p className="notice-more">
        {moreOf(tab, has).map(({ to, word }) => (
          <Link key={to} to={to} onClick={close}>
            {t(word)}
          </Link>
        ))}
      </p>
    </>
  )
}

/** The bell with the number of unread notices, which opens the message centre. */
export const NoticeBell = () => {
  const t = useWords()
  useNoticePoll()
  const phone = usePhone()
  const { counts, interrupted } = useNotices()
  const [open, setOpen] = useState(false)
  const [tab, setTab] = useState<NoticeTab>('announcements')
  const count = unread(counts)
  const label = t('notices.bell', { count })
  const close = () => setOpen(false)
  const show = () => {
    setTab(openingTab(counts))
    setOpen(true)
  }
  return (
    <>
      <Tooltip title={interrupted ? t('notices.interrupted') : label}>
        <Button type="text" className="notice-bell" aria-label={label} aria-haspopup="dialog" onClick={show}>
          <Badge count={badgeText(count)} size="small">
            <BellOutlined />
          </Badge>
          {interrupted && <Shape is="offline" label={t('notices.interrupted')} />}
        </Button>
      </Tooltip>
      <Drawer open={open} onClose={close} title={t('notices.centre')} size={phone ? '100%' : 440} className="notice-drawer" destroyOnHidden>
        {interrupted && (
          <p className="notice-interrupted" role="status">
            <Shape is="offline" /> {t('notices.interrupted')}
          </p>
        )}
        <Tabs
          activeKey={tab}
          tabBarGutter={phone ? 14 : 24}
          onChange={(key) => setTab(key as NoticeTab)}
          items={tabs.map((key) => ({
            key,
            label: (
              <span>
                {t(`notices.tab.${key}`)} <Badge count={badgeText(unreadOf(counts, key))} size="small" />
              </span>
            ),
            children: <TabList tab={key} close={close} />,
          }))}
        />
      </Drawer>
    </>
  )
}
