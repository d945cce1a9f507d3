export const languages = ['en', 'zh', 'es', 'ja'] as const
export type Language = (typeof languages)[number]
