import { Form, Input, Select, type SelectProps } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { useUser } from '../../../../console/session/session.ts'
import { useCompanies, useOwner, useTenant } from '../../../../console/session/useTenant.ts'
import { language, useWords, type Words } from '../../../../console/words/words.ts'
import { dailyMenus, menuList } from '../../../../contract/menus.ts'
import { type Choosable, user, userCalls } from '../contract.ts'

const shown = menuList().filter((m) => !m.hidden && !m.children && !m.sales)
const most = 4
/** Describes in a sentence which screens a role opens. */
export const seesText = (t: Words, name: string, { MenuCodes, DataScope, AllProjects }: Choosable) => {
  const held = new Set(MenuCodes)
  const codes = [...new Set([...dailyMenus, ...shown.map((m) => m.code)])].filter((code) => held.has(code))
  const rest = codes.length - most
  const names = codes.slice(0, most).map((code) => t(`menu.${code}`))
  const screens = new Intl.ListFormat(language()).format([...names, ...(rest > 0 ? [t('user.moreScreens', { count: rest })] : [])])
  const data = AllProjects ? t(`role.DataScope.${DataScope}`) : t('role.chosenProjects')
  return codes.length ? t('user.sees', { name, screens, data }) : t('user.seesNothing', { name })
}

/** The same sentence for a new person. */
export const Sees = ({ of }: { of: { UserName: string; EnterpriseId: number; RoleIds?: unknown } }) => {
  const t = useWords()
  const ids = (of.RoleIds ?? []) as number[]
  const { data } = useCall(userCalls.roleList, { body: { EnterpriseId: of.EnterpriseId }, of: ['role'] })
  const role = data?.find((r) => ids.includes(r.Id))
  return role ? <p>{seesText(t, of.UserName, role)}</p> : null
}

/** Company and role of a new person. Offers platform roles for platform accounts only. */
export const RoleFields = ({ name }: { name: string }) => {
  const t = useWords()
  const form = Form.useFormInstance()
  const chosen = useTenant()?.EnterpriseId
  const companies = useCompanies()
  const isPlatform = useUser()?.IsPlatform === 1
  const owner = useOwner(user)?.EnterpriseId
  const [company, setCompany] = useState(owner)
  const {
    data = [],
    error,
    isFetching,
    refetch,
  } = useCall(userCalls.roleList, { body: company ? { EnterpriseId: company } : {}, of: ['role'] })
  const roleIds: number[] | undefined = Form.useWatch('RoleIds', form)
  const own = isPlatform ? data.filter((r) => r.EnterpriseId === company) : data
  const others = chosen || !own.length ? [] : data.filter((r) => !own.includes(r))
  const option = (r: Choosable) => ({ value: r.Id, label: r.RoleName })
  const role = data.find((r) => r.Id === roleIds?.[0])
  if (isPlatform && !companies.length) return <Link to="/systemManagement/enterpriseManage">{t('tenant.nameFirst')}</Link>
  const choose = (id: number) => form.setFieldValue('EnterpriseId', data.find((r) => r.Id === id)?.EnterpriseId)
  const options: SelectProps['options'] = others.length
    ? [
        { label: companies.find((c) => c.Id === company)?.Name, options: own.map(option) },
        { label: t('menu.m10410'), options: others.map(option) },
      ]
    : own.map(option)
  const needed = (label: string) => [{ required: true, message: t('form.required', { field: label }) }]
  return (
    <fieldset className="form-section">
      {error && <Failure fault={error} retry={() => refetch()} />}
      <Form.Item name="EnterpriseId" initialValue={owner ?? null} hidden>
        <Input />
      </Form.Item>
      {companies.length > 1 && !chosen && (
        <Form.Item label={t('enterprise')} htmlFor="user-company" required>
          <Select
            id="user-company"
            value={company}
            showSearch={{ optionFilterProp: 'label' }}
            options={companies.map(({ Id, Name }) => ({ value: Id, label: Name }))}
            onChange={(id: number) => {
              setCompany(id)
              form.setFieldsValue({ EnterpriseId: id, RoleIds: undefined })
            }}
          />
        </Form.Item>
      )}
      <Form.Item
        name="RoleIds"
        label={t('role')}
        getValueProps={(value?: number[]) => ({ value: value?.[0] })}
        getValueFromEvent={(id: number) => [id]}
        rules={needed(t('role'))}
        extra={role && seesText(t, name || t('user.newPerson'), role)}
      >
        <Select
          loading={isFetching}
          disabled={!own.length}
          onChange={choose}
          showSearch={{ optionFilterProp: 'label' }}
          options={options}
        />
      </Form.Item>
    </fieldset>
  )
}
