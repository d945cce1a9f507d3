import { Descriptions } from 'antd'
import { Link } from 'react-router'
import { useRow } from '../../../../console/kernel/api.ts'
import { useSession } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { accountPath } from '../../../../console/shell/places.ts'
import { none } from '../../../../console/words/formats.ts'
import { useWords } from '../../../../console/words/words.ts'
import { enterprise } from '../../enterprises/contract.ts'

/** The signed-in person, refetched at each visit. */
const Profile = () => {
  const t = useWords()
  const user = useSession((s) => s.session?.user)
  const { data: tenant } = useRow(enterprise, user?.EnterpriseId)
  if (!user) return null
  const facts: [string, string][] = [
    [t('session.user'), user.UserNO],
    [t('profile.name'), user.UserName],
    [t('profile.tenant'), user.EnterpriseName],
    [t('profile.roles'), user.Roles.map((role) => t(`role.RouteRole.${role}`)).join(', ') || none],
    [t('profile.zone'), user.TimeZoneKey],
    ...(tenant?.About ? [[t('enterprise.About'), tenant.About] as [string, string]] : []),
  ]
  return (
    <Page title={t('profile.title')} actions={<Link to={accountPath}>{t('profile.change')}</Link>}>
      <Descriptions
        column={1}
        bordered
        size="small"
        className="narrow"
        items={facts.map(([label, children]) => ({ key: label, label, children: <span className="preview-text">{children}</span> }))}
      />
    </Page>
  )
}
export default Profile
