import { App, Button, Skeleton } from 'antd'
import { Link } from 'react-router'
import { alarmSettingCalls } from '../../../contract/areas/alarm-settings.ts'
import { Page } from '../../app/Page.tsx'
import { useCall, useCommand } from '../../resource/api.ts'
import { Failure } from '../../resource/Empty.tsx'
import { useMay } from '../../session/session.ts'
import { useWords } from '../../words/words.ts'
import { SettingFields } from './SettingFields.tsx'
import { useEdited } from './useEdited.ts'

/** Which alarms reach me, how and when. */
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
