import { Button, Space, Table } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { user } from '../../users/contract.ts'
import { roleCalls } from '../contract.ts'
import type { PartProps } from './RoleDialog.tsx'

export const PeoplePart = ({ role, readOnly }: PartProps) => {
  const t = useWords()
  const { data, error, refetch } = useCall(roleCalls.users, { body: { RoleId: role.Id }, of: ['role', 'user'] })
  const [more, setMore] = useState<number[]>([])
  const add = useCommand(roleCalls.addUsers, ['role', 'user'], { meta: { quiet: true } })
  const remove = useCommand(roleCalls.removeUsers, ['role', 'user'], { meta: { quiet: true } })
  const fault = error ?? add.error ?? remove.error
  return (
    <div className="stack">
      {fault && <Failure fault={fault} retry={error ? () => refetch() : undefined} />}
      {!readOnly && (
        <Space.Compact block>
          <RefsInput
            to={user}
            where={{ EnterpriseId: role.EnterpriseId }}
            value={more}
            onChange={setMore}
            aria-label={t('role.addPeople')}
            placeholder={t('role.addPeople')}
          />
          <Button
            type="primary"
            disabled={!more.length}
            loading={add.isPending}
            onClick={() => add.mutate({ body: { RoleId: role.Id, UserIds: more } }, { onSuccess: () => setMore([]) })}
          >
            {t('button.add')}
          </Button>
        </Space.Compact>
      )}
      <Table
        rowKey="Id"
        size="small"
        loading={!data && !error}
        dataSource={data?.Items}
        pagination={{ pageSize: 10, hideOnSinglePage: true }}
        locale={{ emptyText: t('role.nobody') }}
        columns={[
          { title: t('user.UserNO'), dataIndex: 'UserNO' },
          { title: t('user.UserName'), dataIndex: 'UserName' },
          {
            title: <span className="sr-only">{t('list.actions')}</span>,
            align: 'right',
            render: (_, row) =>
              !readOnly && (
                <Button
                  size="small"
                  danger
                  aria-label={`${t('role.takeAway')}: ${row.UserName}`}
                  onClick={() => remove.mutate({ body: { RoleId: role.Id, UserIds: [row.Id] } })}
                >
                  {t('role.takeAway')}
                </Button>
              ),
          },
        ]}
      />
    </div>
  )
}
