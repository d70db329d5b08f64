// The page's own words. What the bot and people write is never translated here.

const WORDS = {
  channels: ["Channels", "频道"],
  apps: ["Apps", "应用"],
  you: ["You are", "你是"],
  app: ["APP", "应用"],
  home: ["Home", "主页"],
  messagesTab: ["Messages", "消息"],
  about: ["The app's page, made for each person", "应用为每个人生成的主页"],
  noHome: ["Nothing here yet. The app has not published this page.", "这里还没有内容，应用尚未发布主页。"],
  thread: ["Thread", "消息列"],
  close: ["Close", "关闭"],
  replyIn: ["Reply…", "回复…"],
  messageTo: ["Message {0}", "发消息到 {0}"],
  send: ["Send", "发送"],
  also: ["Also send to {0}", "同时发送到 {0}"],
  replies: ["{0} replies", "{0} 条回复"],
  reply1: ["1 reply", "1 条回复"],
  lastReply: ["Last reply {0} at {1}", "最后回复 {0} {1}"],
  viewThread: ["View thread", "查看消息列"],
  onlyYou: ["Only visible to you", "仅自己可见"],
  dismiss: ["Dismiss", "忽略"],
  edited: ["(edited)", "（已编辑）"],
  today: ["Today", "今天"],
  yesterday: ["Yesterday", "昨天"],
  tomorrow: ["tomorrow", "明天"],
  replyInThread: ["Reply in thread", "在消息列中回复"],
  repliedInThread: ["replied to a thread", "回复了消息列"],
  more: ["More actions", "更多操作"],
  copyLink: ["Copy link", "复制链接"],
  edit: ["Edit message", "编辑消息"],
  remove: ["Delete message", "删除消息"],
  attach: ["Attach a file", "添加附件"],
  mention: ["Mention someone", "提及他人"],
  command: ["Slash command", "斜杠命令"],
  removeFile: ["Remove {0}", "移除 {0}"],
  seeMore: ["See more", "展开"],
  seeLess: ["See less", "收起"],
  choose: ["Choose an option", "请选择"],
  overflow: ["More options", "更多选项"],
  cancel: ["Cancel", "取消"],
  back: ["Back", "返回"],
  optional: ["(optional)", "（选填）"],
  unread: ["{0} unread", "{0} 条未读"],
  empty: ["This is the very beginning of {0}", "这里是 {0} 的开头"],
  try: ["Mention @{0} and say what is needed, in English or Chinese.", "提及 @{0} 并说明需要办什么，中文英文都可以。"],
  memberCount: ["{0} members", "{0} 位成员"],
  offline: ["The workspace does not answer. Trying again…", "工作区没有回应，正在重试…"],
  notMember: ["You are not in this channel.", "你不在这个频道里。"],
  save: ["Save", "保存"],
  parentGone: ["This thread is no longer here.", "此消息列已不存在。"],
  working: ["Sending…", "正在发送…"],
};

export const lang = () => document.documentElement.lang.startsWith("zh") ? "zh" : "en";

/** Take the language from the address, else the browser's. */
export function chooseLanguage(wanted) {
  const first = wanted || navigator.language || "en";
  document.documentElement.lang = first.startsWith("zh") ? "zh-CN" : "en";
}

/** A word of the page, `{0}` filled in. */
export function t(key, ...values) {
  const text = WORDS[key][lang() === "zh" ? 1 : 0];
  return text.replace(/\{(\d)\}/g, (_, index) => values[Number(index)]);
}
