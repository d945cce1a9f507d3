import { Pagination, Skeleton } from 'antd'
import { useState } from 'react'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import type { usersCall } from '../contract.ts'

const size = 10

/** The users of a tree node. */
export const nodeUsers = (call: ReturnType<typeof usersCall>) => {
  const NodeUsers = ({ id }: { id: number }) => {
    const [page, turn] = useState(1)
    const t = useWords()
    const { data, error, refetch } = useCall(call, { query: { Id: id, PageIndex: page, PageSize: size }, of: ['user'] })
    const people = (data?.Items ?? []) as unknown as { Id: number; UserNO: string; UserName: string }[]
    return (
      <section>
        <h3>
          {t('tree.people')} {data && <span className="faint figures">{data.TotalCount}</span>}
        </h3>
        {error ? (
          <Failure fault={error} retry={() => refetch()} />
        ) : !data ? (
          <Skeleton active paragraph={{ rows: 2 }} title={false} />
        ) : !people.length ? (
          <p className="faint">{t('tree.nobody')}</p>
        ) : (
          <ul className="tree-people">
            {people.map((person) => (
              <li key={person.Id}>
                {person.UserName} <span className="faint">{person.UserNO}</span>
              </li>
            ))}
          </ul>
        )}
        <Pagination size="small" hideOnSinglePage current={page} pageSize={size} total={data?.TotalCount} onChange={turn} />
      </section>
    )
  }
  return NodeUsers
}
