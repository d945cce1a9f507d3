import { PushpinFilled, PushpinOutlined } from '@ant-design/icons'
import { Button, Collapse, Skeleton, Tooltip } from 'antd'
import { Link } from 'react-router'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { datePart, linkOf, type Notice } from './notices.ts'
import { RichText } from './RichText.tsx'
import type { useNoticeList } from './useNoticeList.ts'

type Props = { list: ReturnType<typeof useNoticeList>; empty: string; followed?: () => void }

/** A list of notices; opening one shows its text and marks it as read. */
export const NoticeItems = ({ list, empty, followed }: Props) => {
  const t = useWords()
  if (list.error && !list.items.length) return <Failure fault={list.error} retry={() => void list.refetch()} />
  if (list.isLoading) return <Skeleton active paragraph={{ rows: 4 }} />
  if (!list.items.length) return <EmptyList text={empty} />

  const head = (n: Notice) => (
    <span className={n.ReadStatus === 2 ? 'notice-head' : 'notice-head notice-unread'}>
      <span className="notice-title">{n.PushTitle}</span>
      <span className="notice-facts">
        <time className="figures">{datePart(n)}</time>
        <span>{t(n.ReadStatus === 2 ? 'notices.read' : 'notices.unread')}</span>
      </span>
    </span>
  )
  const pin = (n: Notice) => {
    const label = t(n.IsFirstPage === 1 ? 'notices.unpin' : 'notices.pin', { title: n.PushTitle })
    return (
      <Tooltip title={t(n.IsFirstPage === 1 ? 'notices.unpinShort' : 'notices.pinShort')}>
        <Button
          type="text"
          size="small"
          aria-label={label}
          aria-pressed={n.IsFirstPage === 1}
          icon={n.IsFirstPage === 1 ? <PushpinFilled /> : <PushpinOutlined />}
          onClick={(e) => {
            e.stopPropagation()
            void list.pin(n)
          }}
          onKeyDown={(e) => e.stopPropagation()}
        />
      </Tooltip>
    )
  }
  const body = (n: Notice) => {
    const to = linkOf(n)
    return (
      <>
        <RichText html={n.PushContent ?? ''} />
        <p className="notice-foot">
          <span className="figures faint">{n.CreateTime}</span>
          {to && (
            <Link to={to} onClick={followed}>
              {t('notices.show')}
            </Link>
          )}
        </p>
      </>
    )
  }
  return (
    <>
      <Collapse
        ghost
        size="small"
        collapsible="header"
        className="notice-items"
        items={list.items.map((n) => ({ key: n.Id, label: head(n), extra: pin(n), children: body(n) }))}
        onChange={(keys) => {
          const open = new Set((Array.isArray(keys) ? keys : [keys]).map(Number))
          for (const n of list.items) if (open.has(n.Id) && n.ReadStatus !== 2) void list.open(n)
        }}
      />
      {list.hasNextPage && (
        <Button block type="link" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('notices.older')}
        </Button>
      )}
    </>
  )
}
