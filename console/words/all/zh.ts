const files = import.meta.glob<Record<string, string>>(
  [
    '../words.zh.json',
    '../../*/words.zh.json',
    '../../kernel/*/words.zh.json',
    '../../../areas/*/*/words/zh.json',
    '../../../contract/words/*.zh.json',
  ],
  { eager: true, import: 'default' },
)
export default Object.assign({}, ...Object.values(files)) as Record<string, string>
