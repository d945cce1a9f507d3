import { Button, Form, Input, Select, Space, Switch } from 'antd'
import { useCommand } from '../../../../console/kernel/api.ts'
import { useFormRefusal } from '../../../../console/kernel/form/refusal.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { icons } from '../../../../console/shell/icons.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { language, languages, useWords } from '../../../../console/words/words.ts'
import { nameFields as names } from '../../../../contract/languages.ts'
import { type MenuEntry, menuCalls, menuIcons } from '../../../../contract/menu-entries.ts'

type Entered = Partial<Record<(typeof names)[keyof typeof names], string | null>> & {
  Icon?: (typeof menuIcons)[number] | null
  Shown: boolean
  ParentId: number
  InternalAndExternalLink?: string
}
type Props = { menu: MenuEntry | undefined; directories: MenuEntry[]; saved: (id: number) => void; close: () => void }

/** One menu, or a new link. */
export const MenuForm = ({ menu, directories, saved, close }: Props) => {
  const t = useWords()
  const confirm = useConfirm()
  const [form] = Form.useForm<Entered>()
  const [mayEdit, mayRemove] = [useMay('m10418.edit'), useMay('m10418.remove')]
  const create = useCommand(menuCalls.create, ['menu'], { meta: { quiet: true } })
  const update = useCommand(menuCalls.update, ['menu'], { meta: { quiet: true } })
  const remove = useCommand(menuCalls.remove, ['menu'])
  const own = names[language()]
  const link = !menu?.BuiltIn
  const refusal = useFormRefusal(form, create.error ?? update.error)
  const submit = ({ Shown, ParentId, InternalAndExternalLink, ...entered }: Entered) => {
    const texts = Object.fromEntries(Object.entries(entered).map(([k, v]) => [k, v || null]))
    const values = { ...texts, IsVisible: Shown ? (1 as const) : (0 as const), ...(link ? { ParentId: ParentId || null } : {}) }
    const done = { onSuccess: ({ Id }: { Id: number }) => saved(Id) }
    if (menu)
      update.mutate({ body: { ...values, Id: menu.Id, ...(link ? { InternalAndExternalLink: InternalAndExternalLink! } : {}) } }, done)
    else create.mutate({ body: { ...values, MenuName: entered[own]!, InternalAndExternalLink: InternalAndExternalLink! } }, done)
  }
  const ask = () =>
    confirm({
      title: t('list.removeOne', { title: menu!.MenuName }),
      content: t('menus.removeText'),
      run: () => remove.mutateAsync({ body: { Id: menu!.Id } }).then(close),
    })
  return (
    <Form<Entered>
      form={form}
      layout="vertical"
      requiredMark={false}
      disabled={!mayEdit}
      initialValues={{
        ...menu,
        Icon: menu?.Icon || null,
        Shown: menu?.IsVisible !== 0,
        ParentId: menu?.ParentId ?? 0,
      }}
      onFinish={submit}
      onFinishFailed={refusal.look}
    >
      <h2>{menu?.MenuName ?? t('menus.addLink')}</h2>
      {menu?.BuiltIn && <p className="mono soft">{`${menu.MenuEncoding} ${menu.RoutingAddress}`}</p>}
      {refusal.summary}
      {Object.entries(names).map(([lang, name]) => (
        <Form.Item
          key={lang}
          name={name}
          label={t('menus.name', { language: languages[lang as keyof typeof languages] })}
          rules={link && name === own ? [{ required: true, message: t('form.required', { field: t('menus.nameOf') }) }] : []}
        >
          <Input maxLength={60} placeholder={menu?.BuiltIn ? t('menus.standardName') : undefined} autoComplete="off" />
        </Form.Item>
      ))}
      {link && (
        <>
          <Form.Item
            name="InternalAndExternalLink"
            label={t('menus.link')}
            rules={[{ required: true, pattern: /^https?:\/\/\S+$/, message: t('menus.linkWrong') }]}
          >
            <Input maxLength={500} placeholder="https://" autoComplete="off" />
          </Form.Item>
          <Form.Item name="ParentId" label={t('menus.within')}>
            <Select options={[{ value: 0, label: t('menus.top') }, ...directories.map((d) => ({ value: d.Id, label: d.MenuName }))]} />
          </Form.Item>
        </>
      )}
      <Form.Item name="Icon" label={t('menus.icon')}>
        <Select
          allowClear
          options={menuIcons.map((icon) => ({
            value: icon,
            label: (
              <span>
                {icons[icon]} {icon}
              </span>
            ),
          }))}
        />
      </Form.Item>
      <Form.Item name="Shown" label={t('menus.shown')} valuePropName="checked">
        <Switch />
      </Form.Item>
      <Space wrap>
        {mayEdit && (
          <Button type="primary" htmlType="submit" loading={create.isPending || update.isPending}>
            {t('save')}
          </Button>
        )}
        {refusal.count}
        <Button disabled={false} onClick={close}>
          {t('cancel')}
        </Button>
        {menu && link && mayRemove && (
          <Button danger onClick={ask}>
            {t('button.remove')}
          </Button>
        )}
      </Space>
    </Form>
  )
}
