import { App, Button, Input, Modal, Table } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { none } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Answer } from '../../../../contract/call.ts'
import { alarmSettingCalls, standardUserSetting, type UserSetting } from '../contract.ts'
import { SettingFields, toPeople } from './SettingFields.tsx'

type Person = Answer<typeof alarmSettingCalls.users>['Items'][number]
const pageSize = 20

const Dialog = ({ people, close }: { people: Person[]; close: () => void }) => {
  const t = useWords()
  const { message } = App.useApp()
  const [first] = people
  const [setting, setSetting] = useState<UserSetting>(() => {
    if (people.length > 1 || !first) return standardUserSetting
    const { UserId: _, UserName: __, UserNO: ___, ...own } = first
    return own
  })
  const save = useCommand(alarmSettingCalls.saveUsers, ['alarmUserSetting'])
  const submit = () =>
    save.mutate(
      { body: { UserIds: people.map((p) => p.UserId), Setting: setting } },
      {
        onSuccess: () => {
          message.success(t('alarmUser.saved'))
          close()
        },
      },
    )
  return (
    <Modal
      open
      title={people.length === 1 ? t('alarmUser.of', { name: first!.UserName }) : t('alarmUser.ofMany', { count: people.length })}
      okText={t('save')}
      cancelText={t('cancel')}
      confirmLoading={save.isPending}
      onOk={submit}
      onCancel={close}
    >
      <SettingFields value={setting} onChange={setSetting} />
    </Modal>
  )
}

/** Alarm settings of each person in the tenant; several people can be changed together. */
const People = () => {
  const t = useWords()
  const [Search, setSearch] = useState('')
  const [PageIndex, setPageIndex] = useState(1)
  const [chosen, setChosen] = useState<Person[]>([])
  const [editing, setEditing] = useState<Person[]>()
  const mayEdit = useMay('m10213.edit')
  const { data, error, refetch, isFetching } = useCall(alarmSettingCalls.users, {
    query: { Search, PageIndex, PageSize: pageSize },
    of: ['alarmUserSetting', 'user'],
  })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const listed = (codes: readonly number[], key: string) => codes.map((code) => t(`${key}.${code}`)).join(', ') || none
  return (
    <Page
      title={t('menu.m10213')}
      actions={
        mayEdit && (
          <Button disabled={!chosen.length} onClick={() => setEditing(chosen)}>
            {t('alarmUser.change', { count: chosen.length })}
          </Button>
        )
      }
    >
      <Input.Search
        allowClear
        maxLength={50}
        placeholder={t('alarmUser.search')}
        aria-label={t('alarmUser.search')}
        onSearch={(text) => {
          setSearch(text)
          setPageIndex(1)
        }}
        style={{ maxWidth: 320, marginBottom: 12 }}
      />
      <Table<Person>
        rowKey="UserId"
        size="small"
        loading={isFetching && !data}
        dataSource={data?.Items ?? []}
        scroll={{ x: 'max-content' }}
        {...(mayEdit
          ? {
              rowSelection: {
                selectedRowKeys: chosen.map((p) => p.UserId),
                preserveSelectedRowKeys: true,
                onChange: (_keys, rows) => setChosen(rows),
              },
            }
          : {})}
        pagination={{ current: PageIndex, pageSize, total: data?.TotalCount ?? 0, onChange: setPageIndex, hideOnSinglePage: true }}
        columns={[
          {
            title: t('alarmUser.person'),
            render: (_, p) =>
              mayEdit ? (
                <Button type="link" className="alarm-name" onClick={() => setEditing([p])}>
                  {p.UserName}
                </Button>
              ) : (
                p.UserName
              ),
          },
          { title: t('alarmUser.Levels'), render: (_, p) => listed(p.Levels, 'alarmInfo.AlarmLevel') },
          {
            title: t('alarmUser.Methods'),
            render: (_, p) => (
              <span className="wrap">
                {listed(
                  p.Methods.filter((m) => toPeople.includes(m)),
                  'alarmUser.Method',
                )}
              </span>
            ),
          },
          {
            title: t('alarmUser.NoDisturb'),
            render: (_, p) => (p.NoDisturb.Enabled ? `${p.NoDisturb.Start} – ${p.NoDisturb.End}` : <span className="soft">{none}</span>),
          },
        ]}
      />
      {editing && (
        <Dialog
          people={editing}
          close={() => {
            setEditing(undefined)
            setChosen([])
          }}
        />
      )}
    </Page>
  )
}
export default People
