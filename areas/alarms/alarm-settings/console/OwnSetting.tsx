import { App, Button, Skeleton } from 'antd'
import { Link } from 'react-router'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { alarmSettingCalls } from '../contract.ts'
import { SettingFields } from './SettingFields.tsx'
import { useEdited } from './useEdited.ts'

/** The user's own alarm settings: which alarms, channels and times. */
const OwnSetting = () => {
  const t = useWords()
  const { message } = App.useApp()
  const { data, error, refetch } = useCall(alarmSettingCalls.own, { of: ['alarmUserSetting'] })
  const save = useCommand(alarmSettingCalls.saveOwn, ['alarmUserSetting'])
  const edited = useEdited(data)
  const maySeeAll = useMay('m10213')
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const submit = () =>
    save.mutate(
      { body: edited.value! },
      {
        onSuccess: () => {
          edited.done()
          message.success(t('alarmUser.saved'))
        },
      },
    )
  return (
    <Page
      title={t('menu.m10211')}
      actions={
        <>
          {maySeeAll && (
            <Link to="/alarmManagement/userSetting" className="setting-link">
              {t('menu.m10213')}
            </Link>
          )}
          <Button type="primary" disabled={!edited.isChanged} loading={save.isPending} onClick={submit}>
            {t('save')}
          </Button>
        </>
      }
    >
      {edited.value ? <SettingFields value={edited.value} onChange={edited.change} /> : <Skeleton active />}
    </Page>
  )
}
export default OwnSetting
